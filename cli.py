"""`quire`: reports, the library and the state of the installation, from a terminal."""

import json
import signal
import sys
from typing import Annotated, Any

import typer

from schema.context import checked_name
from schema.errors import InputError, QuireError
from serving.ask_command import ask
from serving.report_command import report
from serving.reports_command import app as reports_app
from serving.sources_command import app as sources_app
from serving.sources_command import sync
from serving.terminal import context_from, run, table, told_counts

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Turns a question into a cited report, from your documents and the live web.",
)
app.command()(report)
app.add_typer(reports_app, name="reports")
app.add_typer(sources_app, name="sources")
app.command()(sync)
app.command()(ask)

Space = Annotated[str, typer.Option(help="Search space of the library.")]


@app.command()
def ingest(
    sources: Annotated[list[str], typer.Argument(help="Files, folders, or connector:place.")],
    space: Space = "default",
) -> None:
    """Read sources into the library, and keep them there; only what changed."""
    context = context_from(space=space)

    async def work() -> Any:
        from serving.progress import RunProgress
        from serving.runs import run_ingest

        with RunProgress() as progress:
            return await run_ingest(sources, context, progress)

    state = run(work)
    _name_skipped(state["skipped"])
    vectors = f", {state['vectors']} vectors" if state["vectors"] else ""
    typer.echo(f"{space}: {told_counts(state['counts']) or 'nothing to do'}{vectors}")


@app.command()
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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
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
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        from serving.shown import lines

        for line in lines(found, explain=explain):
            typer.echo(line)
    for problem in found["degraded"]:
        typer.echo(f"{problem['code']}: {problem['detail']}", err=True)
    if not found["hits"]:
        raise QuireError(f"Nothing in the space “{space}” holds these words: quire ingest PATH.")


@app.command()
def tree(
    place: Annotated[str, typer.Argument(help="A folder, as connector/folder; empty: all.")] = "",
    space: Space = "default",
) -> None:
    """Show what a folder of the library holds."""
    context_from(space=space)

    async def work() -> Any:
        from library.library import open_library

        library = await open_library(space)
        await library.refresh_tree()
        return await library.folder(place.removeprefix(f"library://{space}/").strip("/"))

    folder = run(work)
    if folder is None:
        raise QuireError(f"There is no folder “{place}” in the space “{space}”: quire tree.")
    typer.echo(f"library://{space}/{folder.path}\n{folder.abstract}\n")
    for entry in folder.children:
        typer.echo(f"{entry.path}{'' if entry.document else '/'}  {entry.text or entry.title}")


@app.command()
def doctor(space: Space = "default") -> None:
    """Show what is configured, what is missing, and what each absence costs."""

    async def work() -> Any:
        from serving.doctor import examine

        return await examine(space)

    findings = run(work)
    marks = {"ready": "[green]ready[/]", "absent": "[yellow]absent[/]", "broken": "[red]broken[/]"}
    table(
        ("part", "state", "", "what that costs"),
        [(one.part, marks[one.state], one.what, one.cost) for one in findings],
    )
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(1)


def main() -> None:
    """Run the command line; an error is one sentence on standard error and a code above 0."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a script's `&` makes us deaf to it
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        app()
    except QuireError as error:
        typer.echo(f"quire: {error}", err=True)
        sys.exit(2 if isinstance(error, InputError) else 1)


def _name_skipped(skipped: list[dict[str, str]]) -> None:
    for one in skipped:
        typer.echo(f"skipped {one['reason']}", err=True)


if __name__ == "__main__":
    main()
