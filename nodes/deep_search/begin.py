"""Begin a deep search: empty what an earlier one on this thread left, take up named addresses."""

import asyncio
import re
from typing import Any
from uuid import uuid4

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from nodes.run import checked_question, context_of, is_outermost, lacking
from retrieval import leads
from retrieval.agenda import begun
from retrieval.language import detect_language
from schema.context import Context
from schema.deep_search import Budget, DeepSearchState

_ADDRESS = re.compile(r"https?://[^\s<>\"'，。、）)]+")


async def begin(state: DeepSearchState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Draw the run's id, unless the search is a part of a report.

    Raises:
        InputError: there is no question, or it is too long.
    """
    context = context_of(runtime)
    question = checked_question(state.get("question") or "").strip()
    named = [leads.found(url.rstrip(".,;:!?"), question) for url in _ADDRESS.findall(question)]
    spoken = context.language or state.get("language")
    return {
        "run": uuid4().hex if is_outermost(runtime) else state.get("run", ""),
        "question": question,
        "language": spoken or await asyncio.to_thread(detect_language, question),
        "agenda": begun(question),
        "asked": [question],
        "queries": [],
        "exhausted": [],
        "pages": leads.joined([], named),
        "evidence": [],
        "sources": [],
        "findings": [],
        "draft": None,
        "criteria": None,
        "verdicts": [],
        "improvements": [],
        "rejected": [],
        "diary": Overwrite([]),
        "spent": Overwrite(Budget(tokens=0, seconds=0.0, searches=0, pages=0)),
        "calls": Overwrite([]),
        "degraded": Overwrite(lacking(context)),
        "answer": None,
        "found": Overwrite([]),
    }
