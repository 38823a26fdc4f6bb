"""Users with rows in every table."""

from typing import Any

from kept_reports import report
from library_pages import index, page, section
from meanings import speaking

from library.library import Library, open_library
from library.sources import Source

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
    await library.refresh_tree()
    await library.add_source("files", "/shelf")
    await library.update_source(Source(connector="files", place="/shelf", root="file:///"))
    await library.part("memory").store([page("r", HERONS, title="On herons")])
    await library.part("web").store([page("https://w.test/", HERONS, title="Herons")])
    await library.begin_report("What do cats eat?", {"context": {}})
    await library.keep_report(report(f"{user}-cats"), [], "", {})
    return library


async def everything(library: Library) -> Any:
    """What a user has, to compare."""
    return (
        await index(library),
        await library.text("file:///cat.md"),
        await library.sources(),
        await library.folder("files"),
        await library.part("memory").text("r"),
        await library.part("web").text("https://w.test/"),
        [(one.id, one.version, one.title, one.note) for one in await library.reports()],
        await library.report("ann-cats"),
    )
