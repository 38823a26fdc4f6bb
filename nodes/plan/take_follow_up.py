"""Tell what a message wants of the report that its conversation has already."""

from langgraph.runtime import Runtime

from nodes.common.follow_up import route_message
from nodes.common.run import get_context, get_last_question, get_library, make_role
from schema.access import name_space
from schema.context import Context
from schema.state import ReportState, ReportUpdate


async def take_follow_up(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """A question to that report, a change of it, or one of its own.

    Where the report was removed since, or the run works in another space, it is one of its own.

    Raises:
        LibraryError: the database cannot be used.
    """
    context = get_context(runtime)
    saved = await (await get_library(runtime)).load_report(state["last_report"])
    if not saved or not saved.report or name_space(saved.owner, saved.space) != context.space:
        return {"follow_up": None}
    message = get_last_question(state["messages"])
    role = make_role(state, runtime, "planner", context.planner_model)
    wanted, calls = await route_message(saved.report, message, role)
    return {"follow_up": wanted.model_dump(), "calls": calls}
