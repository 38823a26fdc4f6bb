"""Keep a report of which one section was written anew as its next version."""

from typing import Any

from langgraph.runtime import Runtime

from library.reports import Material
from nodes.run import library_of
from schema.context import Context
from schema.state import RevisionState


async def keep_version(state: RevisionState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Keep it beside the versions before it; a step that is done again keeps it once.

    Raises:
        LibraryError: the database does not answer, or the report was revised meanwhile.
    """
    report, library = state["report"], await library_of(runtime)
    assert report is not None  # noqa: S101  (`rebind` binds it)
    before = await library.report(report["id"], report["version"] - 1)
    material = list(before.material) if before else []
    [draft] = state["drafts"]
    index = draft["index"]
    held = material[index]
    chunks = list(dict.fromkeys([*draft["passages"], *held["chunks"]]))
    material[index] = Material(questions=held["questions"], chunks=chunks)
    await library.keep_version(report, material, state["instruction"])
    return {"report": report}
