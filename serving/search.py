"""Searching from outside a graph: `find` one query as it is, `search` what a conversation wants."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from library.library import LOCAL_USER, Library, open_library
from models.calls import Role
from models.intent import intent
from nodes.run import checked_question
from retrieval.pool import distinct_questions, priority_factor, speaking
from schema.documents import Hit
from schema.report import Degraded, TypedQuery
from schema.search import Found, SearchOptions
from schema.together import together


@dataclass(frozen=True)
class FoundByPart:
    """What was found for a conversation: in the sources, the memory and the templates.

    `queries` is what was looked for; it is empty for a greeting, and then nothing is.
    """

    queries: list[TypedQuery]
    resources: Found
    memory: Found
    skill: Found
    degraded: list[Degraded] = field(default_factory=list)


async def find(
    query: str,
    options: SearchOptions | None = None,
    *,
    space: str = "default",
    user: str = LOCAL_USER,
) -> Found:
    """Search one query as it is; no chat model is asked.

    Raises:
        LibraryError: the database cannot be used.
    """
    return await (await open_library(space, user)).search(query, options)


async def search(
    question: str,
    conversation: Sequence[tuple[str, str]] = (),
    options: SearchOptions | None = None,
    *,
    space: str = "default",
    user: str = LOCAL_USER,
    model: str | None = None,
) -> FoundByPart:
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
    checked_question(question)
    library, options = await open_library(space, user), options or SearchOptions()
    wanted, _, degraded = await intent(question, conversation, Role.of("planner", model))
    queries = list(wanted.queries)
    if queries:
        own = distinct_questions([question, wanted.question])
        queries += [TypedQuery(query=text[:500], priority=1) for text in own]
    parts = {
        "resource": library,
        "memory": library.part("memory"),
        "skill": library.part("skill"),
    }
    resources, memory, skill = await together(
        _merged(part, [one for one in queries if one.type == kind], options)
        for kind, part in parts.items()
    )
    return FoundByPart(list(wanted.queries), resources, memory, skill, degraded)


async def _merged(library: Library, queries: Sequence[TypedQuery], options: SearchOptions) -> Found:
    answers = await together(library.search(one.query, options) for one in queries)
    best: dict[int, Hit] = {}
    for one, found in zip(queries, answers, strict=True):
        for hit in speaking(found):
            lowered = replace(hit, score=hit.score * priority_factor(one.priority))
            if hit.chunk not in best or lowered.score > best[hit.chunk].score:
                best[hit.chunk] = lowered
    lost = {problem["detail"]: problem for found in answers for problem in found.degraded}
    return Found(
        sorted(best.values(), key=lambda hit: (-hit.score, hit.chunk))[: options.limit],
        degraded=list(lost.values()),
        trace=[step for found in answers for step in found.trace],
    )
