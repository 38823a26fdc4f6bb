"""`quire ingest` and `quire tree`: documents into the library, and what stands there."""

from typing import Annotated, Any

import typer

from schema.errors import InputError, QuireError
from serving.options import Space
from serving.plain import one_line, say, tell
from serving.terminal import context_from, run, told_counts


def ingest(
    sources: Annotated[
        list[str], typer.Argument(help="Files, folders, or connector:place.", metavar="SOURCE")
    ],
    space: Space = "default",
) -> None:
    """Read sources into the library; of what is there already, only what changed."""
    context = context_from(space=space)

    async def work() -> Any:
        from serving.progress import RunProgress
        from serving.runs import run_ingest

        with RunProgress() as progress:
            return await run_ingest(sources, context, progress)

    state = run(work)
    for one in state["skipped"]:
        tell(f"skipped {one['reason']}")
    vectors = f", {state['vectors']} vectors" if state["vectors"] else ""
    say(f"{space}: {told_counts(state['counts']) or 'nothing to do'}{vectors}")


def tree(
    place: Annotated[
        str,
        typer.Argument(
            help="A folder, as `quire tree` names it; without one, the top.", metavar="FOLDER"
        ),
    ] = "",
    space: Space = "default",
) -> None:
    """Show what a folder of the library holds."""
    context_from(space=space)

    async def work() -> Any:
        from library.library import open_library

        library = await open_library(space)
        await library.refresh_tree()
        return await library.folder(place.removeprefix(f"library://{space}/").strip("/"))

    folder = run(work)
    if folder is None and not place:
        raise QuireError(
            f"The space “{space}” holds no documents yet: bring some in with quire ingest PATH."
        )
    if folder is None:
        raise InputError(
            f"There is no folder “{place}” in the space “{space}”: quire tree shows its folders."
        )
    say(f"library://{space}/{folder.path}\n{folder.abstract}\n")
    for entry in folder.children:
        mark = "" if entry.document else "/"
        say(f"{one_line(entry.path)}{mark}  {one_line(entry.text or entry.title)}")
    if left := folder.documents + folder.folders - len(folder.children):
        say(f"and {left} more")
