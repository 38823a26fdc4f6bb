"""`quire report`: a question in, a cited report out; also one whose run was stopped."""

import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from cli.console import (
    make_context,
    open_library_while,
    print_or_write,
    run,
    show_progress,
    write_file,
)
from cli.options import (
    CitationsOption,
    ConnectorsOption,
    FreshOption,
    QuestionArgument,
    SpaceOption,
    make_file_option,
)
from cli.safe_output import print_stderr, print_stdout
from cli.suspend import stop_clocks_while_suspended
from schema.context import Context, ResearchMode, check_name
from schema.errors import InputError, QuireError
from schema.report import Report

if TYPE_CHECKING:
    from exports.formats import ExportName


def report(
    question: Annotated[str | None, QuestionArgument] = None,
    files: Annotated[
        list[str] | None,
        typer.Option(
            help="File or folder to write from alone; it joins the space's library; repeatable."
        ),
    ] = None,
    mode: Annotated[
        str, typer.Option(help="general, deep or deeper: 1 to 2, 2 to 5 or 4 to 10 sections.")
    ] = "general",
    connector: ConnectorsOption = None,
    out: Annotated[
        Path | None,
        make_file_option(help="File to write to, in its suffix's format, such as .md or .pdf."),
    ] = None,
    json_file: Annotated[
        Path | None, make_file_option("--json", help="File to write the report to as JSON.")
    ] = None,
    citations: CitationsOption = "ieee",
    words: Annotated[
        int | None, typer.Option(help="Length of the whole report; else as its plan needs.")
    ] = None,
    shape: Annotated[
        str,
        typer.Option(
            help="how-to, comparison, timeline, yes-no, survey or decision; else as the question "
            "asks."
        ),
    ] = "",
    style: Annotated[str, typer.Option(help="brief, report or paper.")] = "report",
    audience: Annotated[
        str, typer.Option(help="Who reads it, such as 'nurses new to the ward'.")
    ] = "",
    language: Annotated[
        str, typer.Option(help="Language of the report, such as en or zh; else the question's.")
    ] = "",
    checker: Annotated[
        str,
        typer.Option(
            help="Checker on this machine for the citations which words leave open, such as "
            "onnx:nli-deberta-v3-small; else none."
        ),
    ] = "",
    judge: Annotated[
        str,
        typer.Option(help="Language model for the citations which are then still open; else none."),
    ] = "",
    space: SpaceOption = "default",
    fresh: FreshOption = False,
    max_tokens: Annotated[
        int | None,
        typer.Option(help="Ceiling of the run: tokens that language models read and write."),
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="The same in US dollars, by the prices of QUIRE_PRICES.")
    ] = None,
    max_minutes: Annotated[
        float | None,
        typer.Option(help="Ceiling of the run in minutes; at it a finished report stands."),
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only tell what the report will take.")
    ] = False,
    resume: Annotated[
        str, typer.Option(help="Go on with the report of this id, where its run was stopped.")
    ] = "",
) -> None:
    """Write a cited report. Its id, to go on with it after a stop, is told on standard error."""
    from exports.formats import find_format

    begun = time.monotonic()
    check_name(mode, list(get_args(ResearchMode)), "mode")
    name = find_format(out) if out else "markdown"
    told: dict[str, Any] = {
        "research_mode": mode,
        "connectors": connector,
        "paths": files or [],
        "language": language,
        "space": space,
        "fresh": fresh,
        "words": words,
        "shape": shape,
        "style": style,
        "audience": audience,
        "checker_model": checker,
        "judge_model": judge,
        "max_tokens": max_tokens,
        "max_cost": max_cost,
    }
    if resume:
        _check_resumed(told, question, max_minutes, estimate)
        context = None
    elif question is None:
        raise typer.BadParameter("give a question, or --resume ID", param_hint="QUESTION")
    else:
        context = make_context(**told)
        if max_minutes is not None:
            from serving.endings import leave_time_to_end

            context = leave_time_to_end(60 * max_minutes, context)
        if estimate:
            print_stdout(run(partial(_estimate, context)))
            return
    finished = _write_report(question or "", context, resume, begun, max_minutes)
    _put_out(finished, name, out, json_file, citations)


_UNTOLD = {"research_mode": "general", "space": "default", "style": "report"}
"""What options are where nothing is said; the others are empty then."""


def _check_resumed(told: Mapping[str, object], *others: object) -> None:
    """See that a report that is gone on with is told nothing anew.

    Raises:
        InputError: it is.
    """
    if any(value != _UNTOLD.get(name) for name, value in told.items() if value) or any(others):
        raise InputError(
            "--resume goes on as the report was started: give it no question, and no option but "
            "--out, --json and --citations."
        )


def _put_out(
    finished: Report, name: "ExportName", out: Path | None, json_file: Path | None, citations: str
) -> None:
    """Print a report or write its files.

    Raises:
        QuireError: a file cannot be written, or the report cites no source; it is saved all the
            same.
    """
    from exports.formats import export

    try:
        if json_file:
            write_file(json_file, export(finished, "json"))
        made = _export(finished, name, citations)
        print_or_write(made, out)
    except QuireError as error:
        saved = f"the report is saved: quire reports export {finished['id']} --out FILE"
        raise QuireError(f"{str(error).rstrip('.')}; {saved}") from error
    if not finished["citations"]:
        raise QuireError("The report cites no source: the writer gave no citations.")


async def _estimate(context: Context) -> str:
    from serving.estimates import describe_estimate, estimate_report

    return describe_estimate(await estimate_report(context), context)


async def _tell_estimate(context: Context) -> None:
    """Say what a report will take, where a language model is asked."""
    from serving.estimates import describe_estimate, estimate_report

    made = await estimate_report(context)
    if made.tokens.high:
        print_stderr(describe_estimate(made, context))


def _export(report: Report, name: "ExportName", citations: str) -> bytes:
    """The report as a file; a bundle takes its evidence from the library."""
    from exports.formats import BUNDLE, export
    from serving.bundles import export_saved

    style: Any = citations  # checked
    if name == BUNDLE:
        return run(lambda: export_saved(report["id"], name, version=report["version"]))
    return export(report, name, style)


def _load() -> None:
    """Load what reports are written with."""
    import serving.reports  # noqa: F401
    from models.chat import choose_model, load_client

    load_client(choose_model(None))


def _write_report(
    question: str, context: Context | None, resume: str, started: float, minutes: float | None
) -> Report:
    """The report of a question, or, with no context, the one that is gone on with.

    Of its `minutes` what the command took since it `started` is no longer there.

    Raises:
        QuireError: there is none; says how to go on where that is of use.
    """
    identity = resume

    def hint() -> str:
        return f" (resume with: quire report --resume {identity})" if identity else ""

    async def work() -> Report:
        nonlocal identity, context
        await open_library_while(_load)
        from serving import reports, stored_reports
        from serving.endings import leave_time_to_end

        if context and minutes is not None:
            context = leave_time_to_end(60 * minutes, context, time.monotonic() - started)
        begun = await (
            reports.begin_report(question, context)
            if context
            else stored_reports.load_report(resume)
        )
        identity = begun.id
        print_stderr(f"report {identity}")
        if context and sys.stderr.isatty():
            await _tell_estimate(context)
        try:
            with show_progress() as on_event, stop_clocks_while_suspended():
                outcome = await reports.write_report(begun, on_event)
        except InputError:
            if context is not None:  # what it was told cannot be used: there is nothing to resume
                await stored_reports.remove_report(identity)
                identity = ""
            raise
        except QuireError as error:
            raise QuireError(f"{error}{hint()}") from error
        for reason in outcome.skipped:
            print_stderr(f"skipped {reason}")
        if outcome.report is None:
            raise QuireError(outcome.reason)
        if failed := reports.count_failed_sections(outcome.report):
            why = f": {outcome.reason}" if outcome.reason else hint()
            print_stderr(f"{failed} sections could not be written{why}")
        return outcome.report

    return run(work, hint)
