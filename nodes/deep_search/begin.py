"""Begin a deep search: empty what an earlier one on this thread left, take up named addresses."""

import asyncio
import re
from uuid import uuid4

from langgraph.runtime import Runtime

from nodes.common.run import (
    check_question,
    find_missing_models,
    get_context,
    is_outermost,
    overwrite,
)
from nodes.deep_search.task_queue import start_queue
from retrieval.web import frontier
from schema.context import Context
from schema.deep_search import Budget, DeepSearchState, DeepSearchUpdate, Draft
from text.language import detect_language

_URL = re.compile(r"https?://[^\s<>\"'，。、）)]+")


async def begin(state: DeepSearchState, runtime: Runtime[Context]) -> DeepSearchUpdate:
    """Draw the run's id, unless the search is a part of a report.

    Raises:
        InputError: there is no question, or it is too long.
    """
    context = get_context(runtime)
    question = check_question(state.get("question") or "").strip()
    named = [frontier.create_page(url.rstrip(".,;:!?"), question) for url in _URL.findall(question)]
    language = context.language or state.get("language", "")
    return {
        "run": uuid4().hex if is_outermost(runtime) else state.get("run", ""),
        "question": question,
        "language": language or await asyncio.to_thread(detect_language, question),
        "task_queue": start_queue(question),
        "asked": [question],
        "queries": [],
        "exhausted": [],
        "pages": frontier.merge_pages([], named),
        "evidence": [],
        "sources": [],
        "findings": [],
        "draft": Draft(question=question, text="", found=False),
        "criteria": None,
        "verdicts": [],
        "improvements": [],
        "rejected": [],
        "diary": overwrite([]),
        "spent": overwrite(Budget(tokens=0, seconds=0.0, searches=0, pages=0)),
        "calls": overwrite([]),
        "degraded": overwrite(find_missing_models(context)),
        "answer": None,
        "found": overwrite([]),
    }
