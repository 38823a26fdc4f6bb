"""Say what a message to a report was taken as, and what came of it."""

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from exports.markdown import render_answer, render_markdown
from library.report_answers import MAX_ANSWERS
from nodes.common.follow_up import describe_follow_up, describe_reach
from nodes.common.run import close_run, get_library
from schema.context import Context
from schema.deep_search import DeepAnswer
from schema.follow_up import FollowUp
from schema.state import ReportState, ReportUpdate

ONE_OF_ITS_OWN = "For a report of its own ask for “a new report on …”."


async def say_follow_up(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Keep an answer with its report, and hand it, or the report's new version, over as Markdown.

    Raises:
        LibraryError: the database cannot be used.
    """
    taken_as = describe_follow_up(FollowUp.model_validate(state["follow_up"]))
    if answer := state["answer"]:
        if answer["found"]:
            await _keep(answer, state["last_report"], runtime)
        said = f"*{taken_as} {describe_reach(answer)} {ONE_OF_ITS_OWN}*\n\n{render_answer(answer)}"
    else:
        assert state["report"]  # noqa: S101  (a revision that fails raises)
        said = f"*{taken_as}*\n\n{render_markdown(state['report'])}"
    await close_run(state, runtime)
    return {"messages": [AIMessage(said)]}


async def _keep(answer: DeepAnswer, report: str, runtime: Runtime[Context]) -> None:
    """Save an answer, unless the report keeps as many as it may."""
    library, info = await get_library(runtime), runtime.execution_info
    if len(await library.list_answers(report)) < MAX_ANSWERS:
        await library.save_answer(report, answer, (info and info.thread_id) or "")
