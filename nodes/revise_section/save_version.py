"""Save a report with its rewritten sections as its next version."""

from typing import cast

from langgraph.runtime import Runtime

from library.saved_reports import SectionMaterial
from nodes.common.citations import name_subject
from nodes.common.run import get_library, get_report
from schema.context import Context
from schema.state import ReportState, RevisionState, RevisionUpdate
from schema.summary import get_place


async def save_version(state: RevisionState, runtime: Runtime[Context]) -> RevisionUpdate:
    """Save it beside the versions before it; a step that is done again saves it once.

    Raises:
        LibraryError: the database does not answer, or the report was revised meanwhile.
    """
    report, library = get_report(state), await get_library(runtime)
    before = await library.load_report(report["id"], report["version"] - 1)
    material = list(before.material) if before else []
    for draft in state["drafts"]:
        place = get_place(report, draft["index"])
        held = material[place]
        material[place] = SectionMaterial(
            questions=held["questions"],
            chunks=list(dict.fromkeys([*draft["passages"], *held["chunks"]])),
            read=len(set(draft["passages"])),
            subject=name_subject(cast("ReportState", state), draft),
        )
    await library.save_version(report, material, state["instruction"])
    return {"report": report}
