"""The first look at what the sources hold: it begins while the question is being understood."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from langgraph.runtime import Runtime

from connectors.search_all import ConnectorResult
from models.extractive.small_talk import detect_small_talk
from nodes.common.run import get_conversation, get_library, get_text
from nodes.common.search_events import (
    ASKED_CHARACTERS,
    list_queries,
    make_request,
    search_connectors,
)
from retrieval.passages.pool import deduplicate_questions
from schema.context import Context
from schema.gather import run_concurrently
from schema.state import Question, ReportState

PREVIEW_PASSAGES = 30
"""Passages per connector and query of the first look."""


@dataclass(frozen=True)
class FirstLook:
    """A search for the user's own words, under way; none of what may need no research."""

    state: ReportState
    runtime: Runtime[Context]
    begun: list[str]
    task: asyncio.Task[list[ConnectorResult]]

    async def finish(self, question: Question) -> list[ConnectorResult]:
        """What is found for the question and its queries; what was asked is not asked again."""
        queries = deduplicate_questions([*self.begun, *list_queries(question)])
        rest = queries[len(self.begun) :]
        asking = [_wait_for(self.task), _search(self.state, self.runtime, rest)]
        return [answered for found in await run_concurrently(asking) for answered in found]


@asynccontextmanager
async def begin_first_look(
    state: ReportState, runtime: Runtime[Context]
) -> AsyncIterator[FirstLook]:
    """Ask all connectors what the user said; what is not waited for is stopped at the end.

    Their own words are among the queries whatever becomes of the question, so no provider is asked
    more than it would be. Greetings are not sent, nor what follows on a conversation: that may
    need no research, or mean nothing by itself.
    """
    messages = state["messages"]
    words = get_text(messages[-1])
    alone = not get_conversation(messages) and not detect_small_talk(words)
    begun = deduplicate_questions([words[:ASKED_CHARACTERS]] if alone else [])
    task = asyncio.create_task(_search(state, runtime, begun))
    try:
        yield FirstLook(state, runtime, begun, task)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _search(
    state: ReportState, runtime: Runtime[Context], queries: list[str]
) -> list[ConnectorResult]:
    if not queries:
        return []
    request = make_request(state, runtime, await get_library(runtime))
    preview = replace(request, limit=PREVIEW_PASSAGES, mode="chunks")
    return await search_connectors(runtime, queries, preview)


async def _wait_for(task: asyncio.Task[list[ConnectorResult]]) -> list[ConnectorResult]:
    return await task
