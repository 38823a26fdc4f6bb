"""`quire ingest` and `quire tree`: documents into the library, and what stands there."""

from typing import Annotated

import typer

from cli.console import format_counts, make_context, run, run_with_progress
from cli.options import SpaceOption
from cli.safe_output import print_stderr, print_stdout, to_one_line
from schema.errors import InputError, QuireError


def ingest(
    sources: Annotated[
        list[str], typer.Argument(help="Files, folders, or connector:location.", metavar="SOURCE")
    ],
    space: SpaceOption = "default",
) -> None:
    """Read sources into the library; of what is there already, only what changed."""
    from serving.runs import run_ingest

    context = make_context(space=space)
    state = run_with_progress(lambda progress: run_ingest(sources, context, progress))
    for one in state["skipped"]:
        print_stderr(f"skipped {one['reason']}")
    vectors = f", {state['vectors']} vectors" if state["vectors"] else ""
    print_stdout(f"{space}: {format_counts(state['counts']) or 'nothing to do'}{vectors}")


def tree(
    path: Annotated[
        str,
        typer.Argument(
            help="A folder, as `quire tree` names it; without one, the top.", metavar="FOLDER"
        ),
    ] = "",
    space: SpaceOption = "default",
) -> None:
    """Show what a folder of the library holds."""
    from library.index.folders import Folder, load_folder, refresh_folders
    from library.library import open_library

    async def work() -> Folder | None:
        library = await open_library(space)
        await refresh_folders(library)
        return await load_folder(library, path.removeprefix(f"library://{space}/").strip("/"))

    folder = run(work)
    if folder is None and not path:
        raise QuireError(
            f"The space “{space}” holds no documents yet: bring some in with quire ingest PATH."
        )
    if folder is None:
        raise InputError(
            f"There is no folder “{path}” in the space “{space}”: quire tree shows its folders."
        )
    print_stdout(f"library://{space}/{folder.path}\n{folder.abstract}\n")
    for entry in folder.children:
        mark = "" if entry.document else "/"
        print_stdout(f"{to_one_line(entry.path)}{mark}  {to_one_line(entry.text or entry.title)}")
    if left := folder.documents + folder.folders - len(folder.children):
        print_stdout(f"and {left} more")
