"""`quire report`: a question in, a cited report out; also one whose run was stopped."""

from pathlib import Path
from typing import Annotated, get_args

import typer

from schema.context import Context, ResearchMode, checked_name
from schema.errors import InputError, QuireError
from schema.report import Report
from serving.options import Connectors, Fresh, Question, Space, Style
from serving.output import check_writable, checked_style, write
from serving.plain import hand_over, say, tell
from serving.terminal import context_from, run


def report(
    question: Annotated[str | None, Question] = None,
    files: Annotated[
        list[str] | None,
        typer.Option(help="File or folder to write from, in place of the library; repeatable."),
    ] = None,
    mode: Annotated[str, typer.Option(help="general, deep or deeper: 1, 3 or 6 sections.")] = (
        "general"
    ),
    connector: Connectors = None,
    out: Annotated[
        Path | None,
        typer.Option(help="File to write to, in the format of its suffix, such as .md or .pdf."),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="File to write the report to as JSON.")
    ] = None,
    style: Style = "ieee",
    language: Annotated[
        str, typer.Option(help="Language of the report, such as en or zh; else the question's.")
    ] = "",
    space: Space = "default",
    fresh: Fresh = False,
    resume: Annotated[
        str, typer.Option(help="Go on with the report of this id, where its run was stopped.")
    ] = "",
) -> None:
    """Write a cited report. Its id, to go on with it after a stop, is told on standard error."""
    from exports.formats import export, format_of

    chosen = checked_style(style)
    checked_name(mode, list(get_args(ResearchMode)), "mode")
    for target in (out, json_file):
        check_writable(target)
    name = format_of(out) if out else "markdown"
    context = None
    if resume:
        others = (mode, space, fresh) != ("general", "default", False)
        if question or files or connector or language or others:
            raise InputError(
                "--resume goes on as the report was started: give it no question, and no option "
                "but --out, --json and --style."
            )
    elif question is None:
        raise typer.BadParameter("give a question, or --resume ID", param_hint="QUESTION")
    else:
        context = context_from(
            research_mode=mode,
            connectors=connector,
            paths=files or [],
            language=language,
            space=space,
            fresh=fresh,
        )
    finished = _written(question or "", context, resume)
    try:
        if json_file:
            write(json_file, export(finished, "json"))
        made = export(finished, name, chosen)
        if out:
            write(out, made)
    except QuireError as error:
        kept = f"the report is kept: quire reports export {finished['id']} --out FILE"
        raise QuireError(f"{str(error).rstrip('.')}; {kept}") from error
    if out:
        say(str(out.resolve()))
    else:
        hand_over(made)
    if not finished["citations"]:
        raise QuireError("The report cites no source: the writer gave no citations.")


def _written(question: str, context: Context | None, resume: str) -> Report:
    """The report of a question, or, with no context, the one that is gone on with.

    Raises:
        QuireError: there is none; says how to go on where that is of use.
    """
    begun = [resume] if resume else []

    def hint() -> str:
        return f" (resume with: quire report --resume {begun[0]})" if begun else ""

    async def work() -> Report:
        from serving.progress import RunProgress
        from serving.reports import begin, failed_sections, found, remove
        from serving.reports import write as written

        if context is None:
            await found(resume)
        else:
            begun.append(await begin(question, context))
        tell(f"report {begun[0]}")
        try:
            with RunProgress() as progress:
                outcome = await written(begun[0], progress)
        except InputError:
            if context is not None:  # what it was told cannot be used: there is nothing to resume
                await remove(begun.pop())
            raise
        except QuireError as error:
            raise QuireError(f"{error}{hint()}") from error
        for reason in outcome.skipped:
            tell(f"skipped {reason}")
        if outcome.report is None:
            raise QuireError(outcome.why)
        if failed := failed_sections(outcome.report):
            tell(f"{failed} sections could not be written{hint()}")
        return outcome.report

    return run(work, hint)
