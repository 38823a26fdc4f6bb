"""Keep the finished report, with what each of its sections can be written from again."""

from typing import Any

from langgraph.config import get_config
from langgraph.runtime import Runtime

from library.reports import Material, short_id
from nodes.run import context_of, degraded, library_of
from schema.context import Context
from schema.errors import LibraryError
from schema.report import Report
from schema.state import ReportState


async def keep(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Give the report its id and keep it; a step that is done again keeps it once.

    Who starts a run outside a server may have drawn its id before: `configurable` then has it as
    `report_id`, and as `skipped` why files were not read.
    """
    report, info = state["report"], runtime.execution_info
    assert report is not None and info is not None  # noqa: S101, PT018  (`cite` binds it)
    told = {} if runtime.server_info else get_config()["configurable"]
    skipped = [str(reason) for reason in told.get("skipped", [])]
    kept = Report(
        **{
            **report,
            "id": told.get("report_id") or short_id(info.task_id),
            "version": 1,
            "degraded": [
                *report["degraded"],
                *(degraded("file_skipped", reason) for reason in skipped),
            ],
        }
    )
    run = {"context": context_of(runtime).model_dump(exclude_defaults=True), "skipped": skipped}
    try:
        library = await library_of(runtime)
        await library.keep_report(kept, _material(state), info.thread_id or "", run)
    except LibraryError as error:
        lost = [*kept["degraded"], degraded("report_not_kept", error)]
        return {"report": {**report, "degraded": lost}}
    return {"report": kept}


def _material(state: ReportState) -> list[Material]:
    """For each section, the chunks that its writer saw, then those that its questions found."""
    plan = state["outline"]["sections"]
    found = []
    for draft in state["drafts"]:
        index = draft["index"]
        own = [one["chunk"] for one in state["pool"] if index in one.get("sections", [])]
        chunks = list(dict.fromkeys([*draft["passages"], *own]))
        found.append(Material(questions=plan[index]["questions"], chunks=chunks))
    return found
