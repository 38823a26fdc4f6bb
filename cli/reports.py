"""`quire reports`: the saved reports, with their versions."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import format_time, print_or_write, print_table, run, run_with_progress
from cli.options import CitationsOption, JsonOption, make_file_option
from cli.revision_output import print_revision
from cli.safe_output import (
    print_bytes,
    print_json,
    print_stderr,
    print_stdout,
    to_one_line,
)
from schema.errors import InputError
from schema.report import Report

if TYPE_CHECKING:
    from exports.bundle.parts import Member
    from library.saved_reports import ReportVersion

app = typer.Typer(no_args_is_help=True, help="Saved reports: list, show, export, revise, remove.")

IdArgument = Annotated[
    str, typer.Argument(help="Of the report, as `quire reports list` shows it.", metavar="ID")
]
VersionOption = Annotated[
    int | None, typer.Option(min=1, help="Of the report; without it, the newest.")
]

_BINARY_FORMATS = ("pdf", "docx", "bundle")


@app.command("list")
def list_(
    identity: Annotated[
        str, typer.Argument(help="Show the versions of this one.", metavar="ID")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Show the saved reports, the newest first; or the versions of one."""
    from serving.stored_reports import list_report_versions, list_reports

    async def work() -> "list[ReportVersion]":
        return await (list_report_versions(identity) if identity else list_reports())

    saved = run(work)
    if as_json:
        print_json([_describe_version(one) for one in saved])
    elif identity:
        changes = [(str(one.version), format_time(one.created), one.note) for one in saved]
        print_table(("version", "written", "what changed"), changes)
    elif saved:
        rows = [
            (
                one.id,
                format_time(one.created),
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

    report = _load_finished_report(identity, version)
    if as_json:
        print_json(report)
    else:
        print_bytes(export(report, "markdown", citations))  # type: ignore[arg-type]  # checked


@app.command()
def export(
    identity: IdArgument,
    to: Annotated[
        str,
        typer.Option(
            help="Format, such as html, pdf, docx or bundle; docs/exports.md has all. Or "
            "zotero:LOCATION, as zotero:*, to write it into that library."
        ),
    ] = "",
    out: Annotated[
        Path | None, make_file_option(help="File to write to; without --to, its suffix names it.")
    ] = None,
    citations: CitationsOption = "ieee",
    version: VersionOption = None,
    attach_bundle: Annotated[
        bool, typer.Option("--attach-bundle", help="HTML and PDF: carry the bundle inside.")
    ] = False,
    sign: Annotated[
        Path | None, typer.Option(help="Ed25519 key to sign the bundle with, in PEM or OpenSSH's.")
    ] = None,
    warc: Annotated[
        Path | None,
        typer.Option(help="Fetch the cited web pages, too, and write them to this WARC file."),
    ] = None,
) -> None:
    """Write a report in another format, to a file or to standard output."""
    from exports.formats import BUNDLE, find_format
    from serving.bundles import export_saved

    if not to and out is None:
        raise InputError("Name a format with --to, or a file with --out.")
    if to.startswith("zotero:"):
        _send_to_zotero(_load_finished_report(identity, version), to.partition(":")[2], citations)
        return
    name = {"md": "markdown"}.get(to, to) if to or out is None else find_format(out)
    if out is None and name in _BINARY_FORMATS and sys.stdout.isatty():
        raise InputError(f"The format {name} is no text for a terminal: name a file with --out.")
    bundled = name == BUNDLE or attach_bundle
    if sign and not bundled:
        raise InputError("--sign signs a bundle: take --to bundle, or --attach-bundle.")
    if warc and not bundled:
        raise InputError("--warc goes with a bundle: take --to bundle, or --attach-bundle.")
    archive = _save_pages(_load_finished_report(identity, version), warc) if warc else None

    async def work() -> bytes:
        return await export_saved(
            identity,
            name,  # type: ignore[arg-type]  # `export` checks it
            citations,  # type: ignore[arg-type]  # checked
            version=version,
            attach=attach_bundle,
            key_file=sign,
            archive=archive,
        )

    print_or_write(run(work), out)


def _save_pages(report: Report, warc: Path) -> "Member":
    from serving.archives import save_pages

    saved = run(lambda: save_pages(report, warc))
    for url, why in saved.missing.items():
        print_stderr(to_one_line(f"not saved: {url} ({why})"))
    print_stderr(f"{warc}: {saved.count} of {saved.count + len(saved.missing)} pages")
    return saved.archive


def _send_to_zotero(report: Report, location: str, citations: str) -> None:
    from serving.zotero import send_to_zotero

    written = run(lambda: send_to_zotero(report, location, citations))  # type: ignore[arg-type]
    if not written.new:
        print_stderr("This version stands there already: nothing was written.")
    print_stdout(written.address)


@app.command()
def revise(
    identity: IdArgument,
    instruction: Annotated[
        str, typer.Argument(help="What is to change in the section.", metavar="INSTRUCTION")
    ],
    section: Annotated[
        list[int] | None,
        typer.Option(
            min=0,
            help="Number of a section, from 1; 0 is the summary. Repeat it for several; all of "
            "them where none is named.",
        ),
    ] = None,
) -> None:
    """Have sections rewritten and saved as the next version; all others stay as they are."""
    from serving.revisions import revise_report

    report = run_with_progress(
        lambda progress: revise_report(identity, section or [], instruction, progress)
    )
    print_revision(report, section or [])


@app.command()
def remove(
    identities: Annotated[list[str], typer.Argument(help="Of the reports.", metavar="ID")],
) -> None:
    """Forget reports, with all their versions and what was saved to resume them."""
    from serving.stored_reports import remove_report

    async def work() -> None:
        for identity in identities:
            print_stdout(f"removed {identity}, {await remove_report(identity)} versions")

    run(work)


def _load_finished_report(identity: str, version: int | None) -> Report:
    from serving.stored_reports import load_finished_report

    return run(lambda: load_finished_report(identity, version))


def _describe_version(one: "ReportVersion") -> dict[str, Any]:
    """A version as JSON tells it."""
    names = ("id", "version", "finished", "question", "title", "space", "note")
    return {name: getattr(one, name) for name in names} | {"written": one.created.isoformat()}
