"""`quire search`: passages or documents of the library, with how they were found."""

import re
from typing import Annotated, Any

import typer

from schema.context import checked_name
from schema.errors import InputError, QuireError
from serving.options import AsJson, Space
from serving.plain import say, say_json, tell
from serving.terminal import context_from, run

_DAY = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
"""A year, a month or a day of ISO 8601."""


def search(
    words: Annotated[str, typer.Argument(help="A question or words.")],
    space: Space = "default",
    limit: Annotated[int, typer.Option(min=1, max=100, help="Passages, or documents.")] = 10,
    documents: Annotated[bool, typer.Option("--documents", help="Rank whole documents.")] = False,
    arm: Annotated[
        list[str] | None, typer.Option(help="exact, words, title or meaning; repeatable.")
    ] = None,
    signal: Annotated[
        list[str] | None,
        typer.Option(help="cosine, links, recency, title_phrase or superseded; repeatable."),
    ] = None,
    fusion: Annotated[str, typer.Option(help="scores, or ranks (RRF).")] = "scores",
    detail: Annotated[str, typer.Option(help="low, medium, high or auto.")] = "medium",
    connector: Annotated[list[str] | None, typer.Option(help="Keep to it; repeatable.")] = None,
    under: Annotated[list[str] | None, typer.Option(help="Keep to this uri or place.")] = None,
    since: Annotated[str, typer.Option(help="Keep to documents from this date on.")] = "",
    until: Annotated[str, typer.Option(help="Keep to documents before this date.")] = "",
    language: Annotated[str, typer.Option(help="Keep to it, as in en or python.")] = "",
    symbol_kind: Annotated[str, typer.Option(help="Keep to code that defines one.")] = "",
    near_symbol: Annotated[str, typer.Option(help="Start from this symbol's definition.")] = "",
    walk: Annotated[int, typer.Option(min=0, max=2, help="Steps along links, symbols.")] = 0,
    hierarchy: Annotated[bool, typer.Option("--hierarchy", help="Descend the folders.")] = False,
    intent: Annotated[
        bool, typer.Option("--intent", help="Let the planner work out what to look for.")
    ] = False,
    resolve: Annotated[
        list[str] | None,
        typer.Option(help="Look a fact up about each document, as url_reachable; repeatable."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show every step.")] = False,
    as_json: AsJson = False,
) -> None:
    """Search the library; see docs/concepts/search.md."""
    from schema.search import ARMS, SIGNALS, Filters, SearchOptions

    context_from(space=space)
    for value, allowed, what in [
        *((one, ARMS, "arm") for one in arm or []),
        *((one, SIGNALS, "signal") for one in signal or []),
        (fusion, ("scores", "ranks"), "fusion"),
        (detail, ("low", "medium", "high", "auto"), "detail"),
    ]:
        checked_name(value, list(allowed), what)
    for option, day in (("since", since), ("until", until)):
        if day and not _DAY.fullmatch(day):
            raise InputError(f"--{option} cannot be {day!r}: write a date such as 2024-05-31.")
    chosen: dict[str, Any] = {"arms": arm, "signals": signal}
    options = SearchOptions(
        limit=limit,
        mode="documents" if documents else "chunks",
        fusion=fusion,  # type: ignore[arg-type]  # checked above
        detail=detail,  # type: ignore[arg-type]
        walk_depth=walk,
        near_symbol=near_symbol,
        hierarchy=hierarchy,
        filters=Filters(
            connectors=connector or (),
            under=under or (),
            since=since,
            until=until,
            language=language,
            symbol_kind=symbol_kind,
        ),
        **{name: value for name, value in chosen.items() if value},
    )

    async def work() -> Any:
        from serving.shown import shown_search

        return await shown_search(words, options, space, intent=intent, resolvers=resolve or [])

    found = run(work)
    if as_json:
        say_json(found)
    else:
        from serving.shown import lines

        for line in lines(found, explain=explain):
            say(line)
    for problem in found["degraded"]:
        tell(f"{problem['code']}: {problem['detail']}")
    if not found["hits"]:
        raise QuireError(
            f"Nothing in the space “{space}” holds these words: use others, or add sources with "
            "quire ingest PATH."
        )
