"""Answer where there is nothing to research."""

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from models.calls import ask
from nodes.common.run import close_run, get_context, get_conversation, get_text, make_role
from prompts.reply import ReplyPrompt
from schema.context import Context
from schema.state import ReportState, ReportUpdate


async def reply(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Say something friendly, without facts and without sources."""
    prompt = ReplyPrompt(
        conversation=get_conversation(state["messages"]), question=get_text(state["messages"][-1])
    )
    role = make_role(state, runtime, "planner", get_context(runtime).planner_model)
    answer = await ask(role, prompt)
    await close_run(state, runtime)
    return {"messages": [AIMessage(answer.text)], "calls": answer.calls}
