"""Begin a deep search: the question, what its answer has to meet, addresses that it names."""

import re
from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from models.calls import Role
from nodes.deep_search.desk import Bill, decided, left_for_research
from nodes.run import checked_question, context_of, lacking
from prompts.choose_criteria import CHOOSE_CRITERIA
from prompts.template import fence
from retrieval import leads
from retrieval.agenda import begun
from retrieval.analysis import detect_language
from schema.context import Context
from schema.deep_search import Budget, Criteria, DeepSearchState

_ADDRESS = re.compile(r"https?://[^\s<>\"'，。、）)]+")


async def begin(state: DeepSearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Empty what an earlier search on this thread left, and choose the criteria.

    Raises:
        InputError: there is no question, or it is too long.
    """
    context, bill = context_of(runtime), Bill()
    question = checked_question(state.get("question") or "").strip()
    nothing = Budget(tokens=0, seconds=0.0, searches=0, pages=0)
    criteria = await decided(
        bill,
        Role.of("reviewer", context.planner_model),
        CHOOSE_CRITERIA.name,
        CHOOSE_CRITERIA.render(question=fence(question), date=datetime.now(UTC).date().isoformat()),
        Criteria,
        left_for_research({**state, "spent": nothing}, context)["seconds"],
    )
    named = [leads.found(url.rstrip(".,;:!?"), question) for url in _ADDRESS.findall(question)]
    return {
        "question": question,
        "language": context.language or state.get("language") or detect_language(question),
        "agenda": begun(question),
        "asked": [question],
        "queries": [],
        "exhausted": [],
        "pages": leads.joined([], named),
        "evidence": [],
        "sources": [],
        "findings": [],
        "draft": None,
        "criteria": criteria.model_dump(),
        "verdicts": [],
        "improvements": [],
        "rejected": [],
        "diary": Overwrite([]),
        "spent": Overwrite(bill.budget()),
        "calls": Overwrite(bill.calls),
        "degraded": Overwrite([*lacking(context), *bill.lost]),
        "answer": None,
        "found": Overwrite([]),
    }
