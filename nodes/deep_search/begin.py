"""Begin a deep search: empty what an earlier one on this thread left, take up named addresses."""

import asyncio
import re
from uuid import uuid4

from langgraph.runtime import Runtime

from nodes.common.asked_report import load_report_passages
from nodes.common.run import (
    check_question,
    find_missing_models,
    get_context,
    get_library,
    is_outermost,
    overwrite,
)
from nodes.deep_search.evidence import TextSpan, add_evidence
from nodes.deep_search.task_queue import start_queue
from retrieval.web import frontier
from schema.context import Context
from schema.deep_search import Budget, DeepSearchState, DeepSearchUpdate, Draft, Evidence
from schema.report import Source
from text.language import detect_language

_URL = re.compile(r"https?://[^\s<>\"'，。、）)]+")


async def begin(state: DeepSearchState, runtime: Runtime[Context]) -> DeepSearchUpdate:
    """Draw the run's id, unless the search is a part of a report; read the report that is asked.

    Raises:
        InputError: there is no question, it is too long, or there is no such report.
    """
    context = get_context(runtime)
    question = check_question(state.get("question") or "").strip()
    evidence, sources = await _read_report(state, question, runtime)
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
        "evidence": evidence,
        "sources": sources,
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


async def _read_report(
    state: DeepSearchState, question: str, runtime: Runtime[Context]
) -> tuple[list[Evidence], list[Source]]:
    """What the report that is asked was written from; nothing where none is."""
    if not state.get("report_id"):
        return [], []
    passages = await load_report_passages(state["report_id"], question, state, runtime)
    spans = [TextSpan(one.document, one.start, one.end, one.text) for one in passages]
    empty = DeepSearchState(evidence=[], sources=[])
    return await add_evidence(empty, await get_library(runtime), spans)
