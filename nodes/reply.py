"""Answer where there is nothing to research."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from models.calls import ask
from nodes.run import close_run, context_of, conversation, role_of, text_of
from prompts.reply import REPLY
from prompts.template import fence, turns
from schema.context import Context
from schema.state import ReportState


async def reply(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Say something friendly, without facts and without sources."""
    messages = REPLY.render(
        conversation=turns(conversation(state["messages"])),
        question=fence(text_of(state["messages"][-1])),
    )
    role = role_of(state, runtime, "planner", context_of(runtime).planner_model)
    answer = await ask(role, REPLY.name, messages)
    await close_run(state, runtime)
    return {"messages": [AIMessage(answer.text)], "calls": answer.calls}
