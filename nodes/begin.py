"""Begin a run: take its question, empty what an earlier run on this thread left."""

import time
from typing import Any
from uuid import uuid4

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from nodes.run import asked_last, checked_question, context_of, lacking
from schema.context import Context
from schema.deep_search import Budget
from schema.state import ReportState


async def begin(state: ReportState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Draw the run's id, under which what it pays for is recorded.

    Raises:
        InputError: there is no question, it is too long, or not its user's.
    """
    checked_question(asked_last(state["messages"]))
    return {
        "run": uuid4().hex,
        "started": time.time(),
        "outline": None,
        "look": [],
        "sources": [],
        "pool": [],
        "digs": [],
        "sections": Overwrite([]),
        "drafts": [],
        "failing": [],
        "repairs": Overwrite([]),
        "judged": [],
        "spent": Overwrite(Budget(tokens=0, seconds=0.0, searches=0, pages=0)),
        "further_questions": [],
        "calls": Overwrite([]),
        "degraded": Overwrite(lacking(context_of(runtime))),
        "report": None,
    }
