"""`quire reports`: the saved reports, with their versions."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import print_table, run
from cli.files import check_citation_style, check_writable, write_file
from cli.options import CitationsOption, JsonOption
from cli.safe_output import print_bytes, print_json, print_stderr, print_stdout
from schema.errors import InputError
from schema.report import Report

if TYPE_CHECKING:
    from library.saved_reports import ReportVersion

app = typer.Typer(no_args_is_help=True, help="Saved reports: list, show, export, revise, remove.")

IdArgument = Annotated[
    str, typer.Argument(help="Of the report, as `quire reports list` shows it.", metavar="ID")
]
VersionOption = Annotated[
    int | None, typer.Option(min=1, help="Of the report; without it, the newest.")
]

_BINARY_FORMATS = ("pdf", "docx")


@app.command("list")
def list_(
    identity: Annotated[
        str, typer.Argument(help="Show the versions of this one.", metavar="ID")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Show the saved reports, the newest first; or the versions of one."""

    async def work() -> "list[ReportVersion]":
        from library.library import open_library

        library = await open_library()
        if not identity:
            return await library.list_reports()
        from serving.reports import load_report

        await load_report(identity)
        return await library.list_report_versions(identity)

    saved = run(work)
    if as_json:
        print_json([_describe_version(one) for one in saved])
    elif identity:
        changes = [(str(one.version), _format_time(one), one.note) for one in saved]
        print_table(("version", "written", "what changed"), changes)
    elif saved:
        rows = [
            (
                one.id,
                _format_time(one),
                one.title or one.question,
                str(one.version) if one.finished else "unfinished",
                one.space,
            )
            for one in saved
        ]
        print_table(("id", "written", "title", "versions", "space"), rows)
    else:
        print_stdout("No report is saved yet: quire report QUESTION writes one.")


@app.command()
def show(
    identity: IdArgument,
    version: VersionOption = None,
    citations: CitationsOption = "ieee",
    as_json: JsonOption = False,
) -> None:
    """Print a report as Markdown, or as JSON."""
    from exports.formats import export

    chosen = check_citation_style(citations)
    report = run(lambda: _load_finished_report(identity, version))
    if as_json:
        print_json(report)
    else:
        print_bytes(export(report, "markdown", chosen))


@app.command()
def export(
    identity: IdArgument,
    to: Annotated[
        str, typer.Option(help="Format, such as html, pdf or docx; docs/exports.md has all.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(help="File to write to; without --to, its suffix names the format."),
    ] = None,
    citations: CitationsOption = "ieee",
    version: VersionOption = None,
) -> None:
    """Write a report in another format, to a file or to standard output."""
    from exports.formats import export, find_format

    chosen = check_citation_style(citations)
    check_writable(out)
    if not to and out is None:
        raise InputError("Name a format with --to, or a file with --out.")
    name = {"md": "markdown"}.get(to, to) if to or out is None else find_format(out)
    if out is None and name in _BINARY_FORMATS and sys.stdout.isatty():
        raise InputError(f"The format {name} is no text for a terminal: name a file with --out.")
    made = export(run(lambda: _load_finished_report(identity, version)), name, chosen)  # type: ignore[arg-type]  # `export` checks it
    if out:
        write_file(out, made)
        print_stdout(str(out.resolve()))
    else:
        print_bytes(made)


@app.command()
def revise(
    identity: IdArgument,
    instruction: Annotated[
        str, typer.Argument(help="What is to change in the section.", metavar="INSTRUCTION")
    ],
    section: Annotated[int, typer.Option(min=1, help="Number of the section, from 1.")],
) -> None:
    """Have one section rewritten and saved as the next version; all others stay as they are."""

    async def work() -> Report:
        from cli.progress import RunProgress
        from serving.reports import revise_report

        with RunProgress() as progress:
            return await revise_report(identity, section, instruction, progress)

    report = run(work)
    written = report["sections"][section - 1]
    print_stdout(f"## {written['title']}\n\n{written['text']}")
    print_stderr(f"{identity}: version {report['version']}")
    for problem in report["degraded"]:
        if problem["code"] == "revision_incomplete":
            print_stderr(problem["detail"])


@app.command()
def remove(
    identities: Annotated[list[str], typer.Argument(help="Of the reports.", metavar="ID")],
) -> None:
    """Forget reports, with all their versions and what was saved to resume them."""

    async def work() -> None:
        from serving.reports import remove_report

        for identity in identities:
            print_stdout(f"removed {identity}, {await remove_report(identity)} versions")

    run(work)


async def _load_finished_report(identity: str, version: int | None) -> Report:
    from serving.reports import load_finished_report

    return await load_finished_report(identity, version)


def _describe_version(one: "ReportVersion") -> dict[str, Any]:
    """A version as JSON tells it."""
    names = ("id", "version", "finished", "question", "title", "space", "note")
    return {name: getattr(one, name) for name in names} | {"written": one.created.isoformat()}


def _format_time(one: "ReportVersion") -> str:
    return one.created.astimezone().strftime("%Y-%m-%d %H:%M")
