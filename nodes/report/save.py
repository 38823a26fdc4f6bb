"""Save the finished report, with what each of its sections can be written from again."""

from importlib import metadata

from langgraph.config import get_config
from langgraph.runtime import Runtime

from library.library import Library
from library.saved_reports import RunStart, SectionMaterial, make_short_id
from nodes.common.citations import name_subject
from nodes.common.run import get_context, get_library, get_report, is_remote, make_degradation
from schema.context import Context
from schema.errors import LibraryError
from schema.report import Report
from schema.state import ReportState, ReportUpdate
from schema.summary import SUMMARY_INDEX


async def save(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Give the report its id and save it; a step that is done again saves it once.

    Who starts a run may have drawn its id before: on a server it is that of the report which was
    begun on the run's thread, elsewhere `configurable` has it as `report_id`, and as `skipped` why
    files were not read.
    """
    report, info = get_report(state), runtime.execution_info
    assert info is not None  # noqa: S101  (LangGraph runs it)
    configured = {} if is_remote(runtime) else get_config()["configurable"]
    library = await get_library(runtime)
    identity = configured.get("report_id")
    if is_remote(runtime) and info.thread_id:
        identity = await library.find_begun(info.thread_id)
    skipped = [str(reason) for reason in configured.get("skipped", [])]
    saved = Report(
        **{
            **report,
            "id": identity or make_short_id(info.task_id),
            "version": 1,
            "degraded": [
                *report["degraded"],
                *(make_degradation("file_skipped", reason) for reason in skipped),
            ],
        }
    )
    chosen = get_context(runtime).model_dump(exclude_defaults=True)
    run = RunStart(context=chosen, skipped=skipped, quire=metadata.version("quire"))
    try:
        _check_noted(library)
        await library.save_report(saved, _collect_material(state), info.thread_id or "", run)
    except LibraryError as error:
        degraded = [*saved["degraded"], make_degradation("report_not_saved", error)]
        return {"report": {**report, "degraded": degraded}}
    return {"report": saved, "last_report": saved["id"]}


def _check_noted(library: Library) -> None:
    """Raise `LibraryError` where nobody knows for whom a group's report may be kept."""
    if library.is_untold:
        raise LibraryError("A report of a group is saved by runs with a thread alone.")


def _collect_material(state: ReportState) -> list[SectionMaterial]:
    """For each section, the chunks that its writer saw, then those that its questions found.

    What the summary answers is the question itself.
    """
    plan = state["outline"]["sections"]
    found = []
    for draft in state["drafts"]:
        index = draft["index"]
        own = [one["chunk"] for one in state["pool"] if index in one.get("sections", [])]
        chunks = list(dict.fromkeys([*draft["passages"], *own]))
        is_summary = index == SUMMARY_INDEX
        asked = [state["question"]["text"]] if is_summary else plan[index]["questions"]
        found.append(
            SectionMaterial(
                questions=asked,
                chunks=chunks,
                read=len(set(draft["passages"])),
                subject=name_subject(state, draft),
            )
        )
    return found
