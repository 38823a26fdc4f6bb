"""`quire reports`: the reports that are kept, with their versions."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from schema.errors import InputError
from schema.report import Report
from serving.options import AsJson, Style
from serving.output import check_writable, checked_style, write
from serving.plain import hand_over, say, say_json, tell
from serving.terminal import run, table

if TYPE_CHECKING:
    from library.reports import ReportVersion

app = typer.Typer(
    no_args_is_help=True, help="Reports that are kept: list, show, export, revise, remove."
)

Id = Annotated[
    str, typer.Argument(help="Of the report, as `quire reports list` shows it.", metavar="ID")
]
Version = Annotated[int | None, typer.Option(min=1, help="Of the report; without it, the newest.")]

_TEXT = ("markdown", "html", "latex", "json", "bibtex", "csl")


@app.command("list")
def list_(
    identity: Annotated[
        str, typer.Argument(help="Show the versions of this one.", metavar="ID")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show the reports that are kept, the newest first; or the versions of one."""

    async def work() -> "list[ReportVersion]":
        from library.library import open_library

        library = await open_library()
        if not identity:
            return await library.reports()
        from serving.reports import found

        await found(identity)
        return await library.report_versions(identity)

    kept = run(work)
    if as_json:
        say_json([_entry(one) for one in kept])
    elif identity:
        changes = [(str(one.version), _day(one), one.note) for one in kept]
        table(("version", "written", "what changed"), changes)
    elif kept:
        rows = [
            (
                one.id,
                _day(one),
                one.title or one.question,
                str(one.version) if one.finished else "unfinished",
                one.space,
            )
            for one in kept
        ]
        table(("id", "written", "title", "versions", "space"), rows)
    else:
        say("No report is kept yet: quire report QUESTION writes one.")


@app.command()
def show(
    identity: Id, version: Version = None, style: Style = "ieee", as_json: AsJson = False
) -> None:
    """Print a report as Markdown, or as JSON."""
    from exports.formats import export

    chosen = checked_style(style)
    report = run(lambda: _finished(identity, version))
    if as_json:
        say_json(report)
    else:
        hand_over(export(report, "markdown", chosen))


@app.command()
def export(
    identity: Id,
    to: Annotated[
        str, typer.Option(help="Format: html, pdf, docx, latex, md, json, bibtex or csl.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(help="File to write to; without --to, its suffix names the format."),
    ] = None,
    style: Style = "ieee",
    version: Version = None,
) -> None:
    """Write a report in another format, to a file or to standard output."""
    from exports.formats import export, format_of

    chosen = checked_style(style)
    check_writable(out)
    if not to and out is None:
        raise InputError("Name a format with --to, or a file with --out.")
    name = {"md": "markdown"}.get(to, to) if to or out is None else format_of(out)
    if out is None and name not in _TEXT and sys.stdout.isatty():
        raise InputError(f"The format {name} is no text for a terminal: name a file with --out.")
    made = export(run(lambda: _finished(identity, version)), name, chosen)  # type: ignore[arg-type]  # `export` checks it
    if out:
        write(out, made)
        say(str(out.resolve()))
    else:
        hand_over(made)


@app.command()
def revise(
    identity: Id,
    instruction: Annotated[
        str, typer.Argument(help="What is to change in the section.", metavar="INSTRUCTION")
    ],
    section: Annotated[int, typer.Option(min=1, help="Number of the section, from 1.")],
) -> None:
    """Have one section written anew and kept as the next version; all others stay as they are."""

    async def work() -> Report:
        from serving.progress import RunProgress
        from serving.reports import revise

        with RunProgress() as progress:
            return await revise(identity, section, instruction, progress)

    report = run(work)
    written = report["sections"][section - 1]
    say(f"## {written['title']}\n\n{written['text']}")
    tell(f"{identity}: version {report['version']}")
    for problem in report["degraded"]:
        if problem["code"] == "revision_incomplete":
            tell(problem["detail"])


@app.command()
def remove(
    identities: Annotated[list[str], typer.Argument(help="Of the reports.", metavar="ID")],
) -> None:
    """Forget reports, with all their versions and what was kept to go on with them."""

    async def work() -> None:
        from serving.reports import remove

        for identity in identities:
            say(f"removed {identity}, {await remove(identity)} versions")

    run(work)


async def _finished(identity: str, version: int | None) -> Report:
    from serving.reports import finished

    return await finished(identity, version)


def _entry(one: "ReportVersion") -> dict[str, Any]:
    """A version as JSON tells it."""
    names = ("id", "version", "finished", "question", "title", "space", "note")
    return {name: getattr(one, name) for name in names} | {"written": one.created.isoformat()}


def _day(one: "ReportVersion") -> str:
    return one.created.astimezone().strftime("%Y-%m-%d %H:%M")
