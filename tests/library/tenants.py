"""Users with rows in every table."""

from typing import Any

from library_pages import index, page, section
from meanings import speaking
from saved_reports import MATERIAL, RUN, report

from library.index.folders import load_folder, refresh_folders
from library.library import Library, open_library
from library.synced_sources import SyncedSource

HERONS = "Grey herons fish at dawn. They stand in shallow water until a fish comes near."


async def filled(user: str) -> Library:
    library = speaking(await open_library("notes", user))
    await library.store(
        [
            page("file:///cat.md", section("cat"), title="Cats", links=("file:///b.py",)),
            page("file:///b.py", "import shelf\n\ndef cat_code():\n    grip()\n"),
        ]
    )
    await library.embed_missing()
    await refresh_folders(library)
    await library.add_source("files", "/shelf")
    await library.update_source(SyncedSource(connector="files", location="/shelf", root="file:///"))
    await library.open_part("memory").store([page("r", HERONS, title="On herons")])
    await library.open_part("web").store([page("https://w.test/", HERONS, title="Herons")])
    await library.begin_report("What do cats eat?", RUN)
    await library.save_report(report(f"{user}-cats"), MATERIAL, "", RUN)
    return library


async def everything(library: Library) -> Any:
    """What a user has, to compare."""
    return (
        await index(library),
        await library.load_text("file:///cat.md"),
        await library.list_sources(),
        await load_folder(library, "files"),
        await library.open_part("memory").load_text("r"),
        await library.open_part("web").load_text("https://w.test/"),
        [(one.id, one.version, one.title, one.note) for one in await library.list_reports()],
        await library.load_report("ann-cats"),
    )
