"""Begin a run: take its question, empty what an earlier run on this thread left."""

import time
from uuid import uuid4

from langgraph.runtime import Runtime

from nodes.common.ceiling import check_context_ceiling
from nodes.common.run import (
    check_question,
    find_missing_models,
    get_context,
    get_last_question,
    overwrite,
)
from schema.context import Context
from schema.deep_search import Budget
from schema.state import ReportState, ReportUpdate


async def begin(state: ReportState, runtime: Runtime[Context]) -> ReportUpdate:
    """Draw the run's id, under which what it pays for is recorded.

    Raises:
        InputError: there is no question, it is too long, or not its user's; or the run's ceiling
            cannot be kept.
    """
    check_question(get_last_question(state["messages"]))
    context = get_context(runtime)
    check_context_ceiling(context)
    return {
        "run": uuid4().hex,
        "started": time.time(),
        "style": context.style,
        "audience": context.audience,
        "outline": {},
        "preview_hits": [],
        "outlined": [],
        "sources": [],
        "pool": [],
        "open_questions": [],
        "follow_up_searches": [],
        "sections": overwrite([]),
        "drafts": [],
        "repair_inputs": [],
        "repairs": overwrite([]),
        "judgements": [],
        "links": {},
        "spent": overwrite(Budget(tokens=0, seconds=0.0, searches=0, pages=0)),
        "further_questions": [],
        "calls": overwrite([]),
        "degraded": overwrite(find_missing_models(context)),
        "follow_up": None,
        "answer": None,
        "report": None,
    }
