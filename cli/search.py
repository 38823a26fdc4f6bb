"""`quire search`: passages or documents of the library, with how they were found."""

import re
from typing import Annotated, Any

import typer

from cli.console import make_context, run
from cli.options import JsonOption, SpaceOption
from cli.safe_output import print_json, print_stderr, print_stdout
from schema.context import check_name
from schema.errors import InputError, QuireError

_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")
"""A year, a month or a day of ISO 8601."""


def search(
    words: Annotated[str, typer.Argument(help="A question, or words.", metavar="WORDS")],
    space: SpaceOption = "default",
    limit: Annotated[
        int, typer.Option(min=1, max=100, help="Most passages, or documents, to show.")
    ] = 10,
    documents: Annotated[
        bool, typer.Option("--documents", help="Rank whole documents, not passages.")
    ] = False,
    retriever: Annotated[
        list[str] | None,
        typer.Option(
            help="Retriever: exact, lexical, title or dense; repeatable. Without it: all but title."
        ),
    ] = None,
    boost: Annotated[
        list[str] | None,
        typer.Option(
            help="What else counts: cosine, links, recency, title_phrase or superseded; "
            "repeatable. Without it: superseded."
        ),
    ] = None,
    fusion: Annotated[
        str, typer.Option(help="How the retrievers are averaged: by scores, or by ranks.")
    ] = "scores",
    detail: Annotated[
        str, typer.Option(help="low: summaries. medium: all. high: timelines first. Or auto.")
    ] = "medium",
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
    until: Annotated[str, typer.Option(help="Keep to documents from before this date.")] = "",
    language: Annotated[
        str, typer.Option(help="Keep to this language, such as en or python.")
    ] = "",
    symbol_kind: Annotated[
        str, typer.Option(help="Keep to code that defines such a symbol: function, class, ...")
    ] = "",
    near_symbol: Annotated[
        str, typer.Option(help="With --walk: start from the definition of this symbol of code.")
    ] = "",
    walk: Annotated[
        int,
        typer.Option(min=0, max=2, help="Steps to go on along links, and calls of code."),
    ] = 0,
    hierarchy: Annotated[
        bool, typer.Option("--hierarchy", help="Let folders that fit lift what they hold.")
    ] = False,
    intent: Annotated[
        bool, typer.Option("--intent", help="Let the planner work out what to look for.")
    ] = False,
    resolve: Annotated[
        list[str] | None,
        typer.Option(help="Look up a fact about each document, such as url_reachable; repeatable."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each score's parts, and every step.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Search the library; docs/search.md tells how."""
    from schema.search import BOOSTS, RETRIEVERS, Filters, SearchOptions

    make_context(space=space)
    for value, allowed, what in [
        *((one, RETRIEVERS, "retriever") for one in retriever or []),
        *((one, BOOSTS, "boost") for one in boost or []),
        (fusion, ("scores", "ranks"), "fusion"),
        (detail, ("low", "medium", "high", "auto"), "detail"),
    ]:
        check_name(value, list(allowed), what)
    for option, day in (("since", since), ("until", until)):
        if day and not _DATE.fullmatch(day):
            raise InputError(f"--{option} cannot be {day!r}: write a date such as 2024-05-31.")
    chosen: dict[str, Any] = {"retrievers": retriever, "boosts": boost}
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
        from cli.search_view import run_search

        return await run_search(words, options, space, intent=intent, resolvers=resolve or [])

    found = run(work)
    if as_json:
        print_json(found)
    else:
        from cli.search_view import format_lines

        for line in format_lines(found, explain=explain):
            print_stdout(line)
    for problem in found["degraded"]:
        print_stderr(f"{problem['code']}: {problem['detail']}")
    if not found["hits"]:
        raise QuireError(
            f"Nothing in the space “{space}” holds these words: use others, or add sources with "
            "quire ingest PATH."
        )
