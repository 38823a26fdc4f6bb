"""`quire report`: a question in, a cited report out; also one whose run was stopped."""

from pathlib import Path
from typing import Annotated, get_args

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
from cli.safe_output import print_stderr
from schema.context import Context, ResearchMode, check_name
from schema.errors import InputError, QuireError
from schema.report import Report


def report(
    question: Annotated[str | None, QuestionArgument] = None,
    files: Annotated[
        list[str] | None,
        typer.Option(help="File or folder to write from, in place of the library; repeatable."),
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
    resume: Annotated[
        str, typer.Option(help="Go on with the report of this id, where its run was stopped.")
    ] = "",
) -> None:
    """Write a cited report. Its id, to go on with it after a stop, is told on standard error."""
    from exports.formats import export, find_format

    check_name(mode, list(get_args(ResearchMode)), "mode")
    name = find_format(out) if out else "markdown"
    context = None
    if resume:
        others = (mode, space, fresh, style) != ("general", "default", False, "report")
        told = (question, files, connector, language, words, shape, audience, checker, judge)
        if any((*told, others)):
            raise InputError(
                "--resume goes on as the report was started: give it no question, and no option "
                "but --out, --json and --citations."
            )
    elif question is None:
        raise typer.BadParameter("give a question, or --resume ID", param_hint="QUESTION")
    else:
        context = make_context(
            research_mode=mode,
            connectors=connector,
            paths=files or [],
            language=language,
            space=space,
            fresh=fresh,
            words=words,
            shape=shape,
            style=style,
            audience=audience,
            checker_model=checker,
            judge_model=judge,
        )
    finished = _write_report(question or "", context, resume)
    try:
        if json_file:
            write_file(json_file, export(finished, "json"))
        print_or_write(export(finished, name, citations), out)  # type: ignore[arg-type]  # checked
    except QuireError as error:
        saved = f"the report is saved: quire reports export {finished['id']} --out FILE"
        raise QuireError(f"{str(error).rstrip('.')}; {saved}") from error
    if not finished["citations"]:
        raise QuireError("The report cites no source: the writer gave no citations.")


def _load() -> None:
    """Load what reports are written with."""
    import serving.reports  # noqa: F401
    from models.chat import choose_model, load_client

    load_client(choose_model(None))


def _write_report(question: str, context: Context | None, resume: str) -> Report:
    """The report of a question, or, with no context, the one that is gone on with.

    Raises:
        QuireError: there is none; says how to go on where that is of use.
    """
    identity = resume

    def hint() -> str:
        return f" (resume with: quire report --resume {identity})" if identity else ""

    async def work() -> Report:
        nonlocal identity
        await open_library_while(_load)
        from serving import reports, stored_reports

        begun = await (
            reports.begin_report(question, context)
            if context
            else stored_reports.load_report(resume)
        )
        identity = begun.id
        print_stderr(f"report {identity}")
        try:
            with show_progress() as on_event:
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
