"""Searching from outside a graph: one query as it is, or what a conversation wants."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from library.library import Library, open_library
from models.calls import Role
from models.query_planner import plan_queries
from nodes.common.run import check_question
from prompts.template import Turn
from retrieval.passages.pool import deduplicate_questions, priority_factor, select_relevant_hits
from schema.access import LOCAL_USER
from schema.documents import Hit
from schema.gather import run_concurrently
from schema.plan import TypedQuery
from schema.report import Degradation
from schema.search import SearchOptions, SearchResult


@dataclass(frozen=True)
class ResultsByPart:
    """What was found for a conversation: in the sources, the memory and the templates.

    `queries` is what was looked for; it is empty for a greeting, and then nothing is.
    """

    queries: list[TypedQuery]
    resources: SearchResult
    memory: SearchResult
    skill: SearchResult
    degraded: list[Degradation] = field(default_factory=list)


async def search_query(
    query: str,
    options: SearchOptions | None = None,
    *,
    space: str = "default",
    user: str = LOCAL_USER,
    names: Sequence[str] = (),
) -> SearchResult:
    """Search one query as it is; no chat model is asked.

    Args:
        query: what is looked for.
        options: how.
        space: the search space.
        user: its owner.
        names: of who asks, see `library.library.open_library`.

    Raises:
        LibraryError: the database cannot be used.
    """
    return await (await open_library(space, user, names)).search(query, options)


async def search(
    question: str,
    conversation: Sequence[tuple[str, str]] = (),
    options: SearchOptions | None = None,
    *,
    space: str = "default",
    user: str = LOCAL_USER,
    model: str | None = None,
) -> ResultsByPart:
    """Search what a question wants in its conversation.

    The planner makes up to five typed queries; each is asked of its part of the library, and of
    the sources the question itself, too. Hits of several queries are merged: a chunk counts once,
    with its best score, lowered by a tenth for each step of priority below the first.

    Args:
        question: the last message.
        conversation: (speaker, text) of the turns before it.
        options: of every query; `limit` holds for each part.
        space: the search space.
        user: its owner.
        model: the planner, as `provider:model`; the installation's where None.

    Raises:
        InputError: there is no question, or it is too long.
        LibraryError: the database cannot be used.
        ModelUnavailableError: the planner does not answer.
    """
    check_question(question)
    library, options = await open_library(space, user), options or SearchOptions()
    wanted, _, degraded = await plan_queries(
        question, [Turn(*one) for one in conversation], Role.from_choice("planner", model)
    )
    queries = list(wanted.queries)
    if queries:
        own = deduplicate_questions([question, wanted.question])
        queries += [TypedQuery(query=text[:500], priority=1) for text in own]
    parts = {
        "resource": library,
        "memory": library.open_part("memory"),
        "skill": library.open_part("skill"),
    }
    resources, memory, skill = await run_concurrently(
        _search_part(part, [one for one in queries if one.type == kind], options)
        for kind, part in parts.items()
    )
    return ResultsByPart(list(wanted.queries), resources, memory, skill, degraded)


async def _search_part(
    library: Library, queries: Sequence[TypedQuery], options: SearchOptions
) -> SearchResult:
    answers = await run_concurrently(library.search(one.query, options) for one in queries)
    best: dict[int, Hit] = {}
    for one, found in zip(queries, answers, strict=True):
        for hit in select_relevant_hits(found):
            lowered = replace(hit, score=hit.score * priority_factor(one.priority))
            if hit.chunk not in best or lowered.score > best[hit.chunk].score:
                best[hit.chunk] = lowered
    lost = {problem["detail"]: problem for found in answers for problem in found.degraded}
    return SearchResult(
        sorted(best.values(), key=lambda hit: (-hit.score, hit.chunk))[: options.limit],
        degraded=list(lost.values()),
        trace=[step for found in answers for step in found.trace],
    )
