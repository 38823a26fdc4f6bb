"""`quire search`: passages or documents of the library, with how they were found."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import TypeAdapter, ValidationError

from cli.console import run
from cli.options import JsonOption, SpaceOption
from cli.safe_output import print_json, print_stderr, print_stdout
from schema.context import check_name
from schema.error_text import describe_expected
from schema.errors import InputError, QuireError, ResolverError
from schema.search import SearchOptions, SearchResult

if TYPE_CHECKING:
    from connectors.resolvers.protocol import Resolution
    from library.library import Library

TEXT_CHARACTERS = 240

_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
"""A year, a month or a day of ISO 8601."""

_LISTS = ("retrievers", "boosts", "resolve")
_FILTERS = ("until", "language", "symbol_kind")
_TUNING = (
    *_LISTS, *_FILTERS, "mode", "fusion", "detail", "walk_depth", "near_symbol", "hierarchy",
    "intent",
)  # fmt: skip
"""What `--tune` sets: fields of `SearchOptions` and `Filters`, and what is done with a search."""


def search(
    words: Annotated[str, typer.Argument(help="A question, or words.", metavar="WORDS")],
    space: SpaceOption = "default",
    limit: Annotated[
        int, typer.Option(min=1, max=100, help="Most passages, or documents, to show.")
    ] = 10,
    connector: Annotated[
        list[str] | None,
        typer.Option(help="Keep to what this connector returned, such as files; repeatable."),
    ] = None,
    under: Annotated[
        list[str] | None, typer.Option(help="Keep to this address or folder; repeatable.")
    ] = None,
    since: Annotated[
        str, typer.Option(help="Keep to documents from this date on, such as 2024-05-31.")
    ] = "",
    tune: Annotated[
        list[str] | None,
        typer.Option(
            help="Another setting, such as mode=documents; repeatable; docs/search.md has all.",
            metavar="NAME=VALUE",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each score's parts, and every step.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Search the library; docs/search.md tells how."""
    tuning = _read_tuning(tune or [])
    filters = {name: tuning.pop(name) for name in _FILTERS if name in tuning}
    filters |= {"connectors": connector or (), "under": under or (), "since": since}
    for name in ("since", "until"):
        if (day := filters.get(name)) and not _DATE.fullmatch(day):
            raise InputError(f"--{name} cannot be {day!r}: write a date such as 2024-05-31.")
    intent, resolvers = tuning.pop("intent", "") == "true", tuning.pop("resolve", [])
    options = _make_options({"limit": limit, "filters": filters, **tuning})
    found = run(lambda: _run_search(words, options, space, intent=intent, resolvers=resolvers))
    if as_json:
        print_json(found)
    else:
        for line in _format_lines(found, explain=explain):
            print_stdout(line)
    for problem in found["degraded"]:
        print_stderr(f"{problem['code']}: {problem['detail']}")
    if not found["hits"]:
        raise QuireError(
            f"Nothing in the space “{space}” holds these words: use others, or add sources with "
            "quire ingest PATH."
        )


def _read_tuning(given: Sequence[str]) -> dict[str, Any]:
    """Values by name, those of lists apart at their commas.

    Raises:
        InputError: there is no such name; tells those there are.
    """
    pairs = [one.partition("=") for one in given]
    for name, _, _ in pairs:
        check_name(name, list(_TUNING), "name of --tune")
    return {name: value.split(",") if name in _LISTS else value for name, _, value in pairs}


def _make_options(values: dict[str, Any]) -> SearchOptions:
    try:
        return TypeAdapter(SearchOptions).validate_python(values)
    except ValidationError as error:
        fault = error.errors()[0]
        name, value = fault["loc"][0], fault["input"]
        raise InputError(
            f"--tune {name} cannot be {value!r}: {describe_expected(fault)}."
        ) from None


async def _run_search(
    words: str, options: SearchOptions, space: str, *, intent: bool, resolvers: Sequence[str]
) -> dict[str, Any]:
    """Search, and gather what a reader wants to see of each hit.

    Returns:
        `hits`, `grade` (of the best), `queries` (of the planner), `trace`, `degraded`; with
        `intent` also `memory` and `skill`, hits like the others. With `resolvers` each hit has
        `facts`, by the resolver's id.
    """
    from library.library import open_library
    from serving.search import search as search_parts
    from serving.search import search_query

    library = await open_library(space)
    if not intent:
        found = await search_query(words, options, space=space)
        return await _describe_result(library, found, resolvers) | {"queries": []}
    parts = await search_parts(words, (), options, space=space)
    told = await _describe_result(library, parts.resources, resolvers)
    return told | {
        "queries": [query.model_dump() for query in parts.queries],
        "memory": (await _describe_result(library.open_part("memory"), parts.memory))["hits"],
        "skill": (await _describe_result(library.open_part("skill"), parts.skill))["hits"],
        "degraded": [*parts.degraded, *told["degraded"]],
    }


async def _describe_result(
    library: "Library", found: SearchResult, resolvers: Sequence[str] = ()
) -> dict[str, Any]:
    """A mirror is told by the number of the hit that it repeats."""
    from connectors.enrich import resolve_facts

    passages = await library.load_passages([hit.chunk for hit in found.hits])
    documents = await library.load_documents(list({hit.document for hit in found.hits}))
    facts = await resolve_facts(list(documents.values()), resolvers, library)
    number = {hit.chunk: place for place, hit in enumerate(found.hits, start=1)}
    hits = []
    for hit in found.hits:
        document, passage = documents[hit.document], passages[hit.chunk]
        resolved = facts.get(hit.document, {})
        described = {
            "uri": document.uri,
            "url": document.url,
            "path": f"library://{library.space}/{document.path}",
            "title": document.title,
            "published": document.published,
            "heading": passage.heading,
            "start": passage.start,
            "end": passage.end,
            "text": passage.text,
            "facts": {name: _describe_fact(fact) for name, fact in resolved.items()},
        }
        scores = {
            name: value for name, value in vars(hit).items() if name not in ("chunk", "document")
        }
        hits.append(described | scores | {"mirror_of": number.get(hit.mirror_of or -1)})
    return {
        "hits": hits,
        "grade": found.grade,
        "trace": [step.to_dict() for step in found.trace],
        "degraded": found.degraded,
    }


def _describe_fact(fact: "Resolution | ResolverError") -> dict[str, Any]:
    if isinstance(fact, ResolverError):
        return {"error": str(fact), "code": fact.code}
    told = {"value": fact.value, "confidence": fact.confidence, "source": fact.source}
    return told | ({"detail": fact.detail} if fact.detail else {})


def _format_lines(found: dict[str, Any], *, explain: bool) -> Iterator[str]:
    """What is printed of a search; `explain` shows every step."""
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
