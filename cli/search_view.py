"""A search as a terminal or a program reads it: what was found, why, and how."""

from collections.abc import Iterator, Sequence
from typing import Any

from connectors.enrich import resolve_facts
from connectors.resolvers.protocol import Resolution
from library.library import Library, open_library
from schema.documents import Hit
from schema.errors import ResolverError
from schema.search import SearchOptions, SearchResult
from serving.search import search, search_query

TEXT_CHARACTERS = 240


async def run_search(
    words: str, options: SearchOptions, space: str, *, intent: bool, resolvers: Sequence[str] = ()
) -> dict[str, Any]:
    """Search, and gather what a reader wants to see of each hit.

    Returns:
        `hits`, `grade` (of the best), `queries` (of the planner), `trace`, `degraded`; with
        `intent` also `memory` and `skill`, hits like the others. With `resolvers` each hit has
        `facts`, by the resolver's id.
    """
    library = await open_library(space)
    if not intent:
        found = await search_query(words, options, space=space)
        return await _describe_hits(library, found, resolvers) | {"queries": []}
    parts = await search(words, (), options, space=space)
    told = await _describe_hits(library, parts.resources, resolvers)
    return told | {
        "queries": [query.model_dump() for query in parts.queries],
        "memory": (await _describe_hits(library.open_part("memory"), parts.memory))["hits"],
        "skill": (await _describe_hits(library.open_part("skill"), parts.skill))["hits"],
        "degraded": [*parts.degraded, *told["degraded"]],
    }


async def _describe_hits(
    library: Library, found: SearchResult, resolvers: Sequence[str] = ()
) -> dict[str, Any]:
    passages = await library.load_passages([hit.chunk for hit in found.hits])
    documents = await library.load_documents(list({hit.document for hit in found.hits}))
    facts = await resolve_facts(list(documents.values()), resolvers, library)
    hits = []
    for hit in found.hits:
        document, passage = documents[hit.document], passages[hit.chunk]
        hits.append(
            {
                "uri": document.uri,
                "url": document.url,
                "path": f"library://{library.space}/{document.path}",
                "title": document.title,
                "published": document.published,
                "heading": passage.heading,
                "start": passage.start,
                "end": passage.end,
                "text": passage.text,
                "facts": {
                    one: _describe_fact(fact) for one, fact in facts.get(hit.document, {}).items()
                },
            }
            | _describe_scores(hit, found.hits)
        )
    return {
        "hits": hits,
        "grade": found.grade,
        "trace": [step.to_dict() for step in found.trace],
        "degraded": found.degraded,
    }


def _describe_fact(fact: Resolution | ResolverError) -> dict[str, Any]:
    if isinstance(fact, ResolverError):
        return {"error": str(fact), "code": fact.code}
    told = {"value": fact.value, "confidence": fact.confidence, "source": fact.source}
    return told | ({"detail": fact.detail} if fact.detail else {})


def _describe_scores(hit: Hit, hits: Sequence[Hit]) -> dict[str, Any]:
    """Scores and reasons; a mirror is told by the number of the hit that it repeats."""
    number = {one.chunk: place for place, one in enumerate(hits, start=1)}
    return {
        "score": hit.score,
        "grade": hit.grade,
        "relevance": hit.relevance,
        "kind": hit.kind,
        "retriever_scores": hit.retriever_scores,
        "why": hit.why,
        "hop": hit.hop,
        "mirror_of": number.get(hit.mirror_of or -1),
    }


def format_lines(found: dict[str, Any], *, explain: bool) -> Iterator[str]:
    """What `quire search` prints. Args: found: of `run_search`. explain: show every step."""
    for query in found["queries"]:
        yield f"{query['type']} {query['priority']}: {query['query']}  ({query['intent']})"
    for part in ("memory", "skill"):
        for hit in found.get(part, []):
            yield f"{part}: {hit['title']}  ({hit['grade']})"
    for number, hit in enumerate(found["hits"], start=1):
        where = " › ".join(part for part in (hit["title"], hit["heading"]) if part)
        yield f"{number}. {where}  ({hit['grade']}, {hit['score']:.2f})"
        yield f"   {hit['url'] or hit['uri']} [{hit['start']}:{hit['end']}]"
        if explain:
            yield f"   {_explain_score(hit)}"
        for one, fact in hit["facts"].items():
            yield f"   {one}: {fact.get('error') or fact.get('detail') or fact['value']}"
        yield f"   {' '.join(hit['text'].split())[:TEXT_CHARACTERS]}\n"
    if explain:
        for step in found["trace"]:
            told = ", ".join(f"{name} {value}" for name, value in step.items() if name != "step")
            yield f"{step['step']}: {told}"


def _explain_score(hit: dict[str, Any]) -> str:
    """Where a score comes from, on one line."""
    told = [f"{name} {share:.2f}" for name, share in hit["retriever_scores"].items()]
    told += [*hit["why"], f"relevance {hit['relevance']:.2f}", hit["kind"]]
    if hit["hop"]:
        told.append(f"{hit['hop']} steps away")
    if hit["mirror_of"]:
        told.append(f"says the same as {hit['mirror_of']}")
    return ", ".join(told)
