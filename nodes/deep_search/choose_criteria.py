"""Choose what an answer has to meet."""

from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime

from nodes.deep_search.desk import Bill, decided, left_for_research
from nodes.run import context_of, role_of
from prompts.choose_criteria import CHOOSE_CRITERIA
from prompts.template import fence
from schema.context import Context
from schema.deep_search import Criteria, DeepSearchState


async def choose_criteria(state: DeepSearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Have them chosen by what the question asks for."""
    context, bill = context_of(runtime), Bill()
    criteria = await decided(
        bill,
        role_of(state, runtime, "reviewer", context.planner_model),
        CHOOSE_CRITERIA.name,
        CHOOSE_CRITERIA.render(
            question=fence(state["question"]), date=datetime.now(UTC).date().isoformat()
        ),
        Criteria,
        left_for_research(state, context)["seconds"],
    )
    return {**bill.update(), "criteria": criteria.model_dump()}
