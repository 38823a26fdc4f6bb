"""`quire`: reports, the library and the state of the installation, from a terminal."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from schema.context import Context, ResearchMode, checked_name
from schema.errors import InputError, QuireError
from schema.report import Degraded, Report
from serving.ask_command import ask
from serving.sources_command import app as sources_app
from serving.sources_command import sync
from serving.terminal import context_from, run, table, told_counts

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Turns a question into a cited report, from your documents and the live web.",
)
app.add_typer(sources_app, name="sources")
app.command()(sync)
app.command()(ask)

Space = Annotated[str, typer.Option(help="Search space of the library.")]
Files = Annotated[list[str] | None, typer.Option(help="File or folder to write from; repeatable.")]


@app.command()
def report(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    files: Files = None,
    mode: Annotated[str, typer.Option(help="general, deep or deeper: 1, 3 or 6 sections.")] = (
        "general"
    ),
    connector: Annotated[
        list[str] | None, typer.Option(help="Source to ask; repeatable. Default: all set up.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write Markdown here, not to stdout.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write JSON here.")] = None,
    language: Annotated[str, typer.Option(help="Language of the report, as in en or zh.")] = "",
    space: Space = "default",
) -> None:
    """Write a cited report."""
    checked_name(mode, list(get_args(ResearchMode)), "mode")
    for target in (out, json_file):
        _check_writable(target)
    context = context_from(
        research_mode=mode, connectors=connector, paths=files or [], language=language, space=space
    )
    finished, text = run(lambda: _report(question, context))
    if finished is None:
        raise QuireError(text)
    if json_file:
        _write(json_file, json.dumps(finished, ensure_ascii=False, indent=2) + "\n")
    if out:
        _write(out, text)
        typer.echo(out.resolve())
    else:
        typer.echo(text)
    if not finished["citations"]:
        raise QuireError("The report cites no source: the writer gave no citations.")


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


async def _report(question: str, context: Context) -> tuple[Report | None, str]:
    """The report, with skipped files named in it, and its text; or None and why."""
    from exports.markdown import report_markdown
    from nodes.run import checked_question
    from serving.progress import RunProgress
    from serving.runs import run_ingest, run_report

    checked_question(question)
    skipped: list[dict[str, str]] = []
    with RunProgress() as progress:
        if context.paths:
            skipped = (await run_ingest(context.paths, context, progress))["skipped"]
        state = await run_report(question, context, progress)
    _name_skipped(skipped)
    finished = state["report"]
    if finished is None:
        return None, str(state["messages"][-1].text)
    finished["degraded"] += [
        Degraded(code="file_skipped", detail=f"{one['reason']}.") for one in skipped
    ]
    return finished, report_markdown(finished)


def _name_skipped(skipped: list[dict[str, str]]) -> None:
    for one in skipped:
        typer.echo(f"skipped {one['reason']}", err=True)


def _check_writable(target: Path | None) -> None:
    """Refuse an output that could not be written, before any work is done."""
    if target is None:
        return
    folder = target.absolute().parent
    if target.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{target} cannot be written: name a file in a folder that exists.")


def _write(target: Path, text: str) -> None:
    """Write whole or not at all."""
    part = target.with_name(f".{target.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(target)


if __name__ == "__main__":
    main()
