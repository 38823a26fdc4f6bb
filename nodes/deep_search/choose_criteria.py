"""Choose what an answer has to meet."""

from datetime import UTC, datetime

from langgraph.runtime import Runtime

from nodes.common.run import get_context, make_role
from nodes.deep_search.evidence import StepCost, compute_research_budget, decide
from prompts.choose_criteria import ChooseCriteriaPrompt
from schema.context import Context
from schema.deep_search import Criteria, DeepSearchState, DeepSearchUpdate


async def choose_criteria(state: DeepSearchState, runtime: Runtime[Context]) -> DeepSearchUpdate:
    """Have them chosen by what the question asks for."""
    context, bill = get_context(runtime), StepCost()
    criteria = await decide(
        bill,
        make_role(state, runtime, "reviewer", context.planner_model),
        ChooseCriteriaPrompt(question=state["question"], date=datetime.now(UTC).date().isoformat()),
        Criteria,
        compute_research_budget(state, context)["seconds"],
    )
    return {**bill.to_update(), "criteria": criteria.model_dump()}
