"""`quire ask`: the answer to one question, searched and read for until it is found."""

from typing import Annotated

import typer

from cli.console import make_context, run_with_progress
from cli.options import ConnectorsOption, FreshOption, JsonOption, QuestionArgument, SpaceOption
from cli.safe_output import print_json, print_stderr, print_stdout
from schema.errors import QuireError


def ask(
    question: Annotated[str, QuestionArgument],
    connector: ConnectorsOption = None,
    seconds: Annotated[float, typer.Option(help="Longest that the search may take.")] = 300,
    pages: Annotated[int, typer.Option(help="Most pages of the web that it may read.")] = 30,
    language: Annotated[str, typer.Option(help="Language of the answer, such as en or zh.")] = "",
    report: Annotated[
        str,
        typer.Option(help="A saved report: what it was written from answers first.", metavar="ID"),
    ] = "",
    search: Annotated[
        bool, typer.Option(help="Search on where the report's sources do not answer.")
    ] = True,
    space: SpaceOption = "default",
    fresh: FreshOption = False,
    as_json: JsonOption = False,
) -> None:
    """Answer one question by searching and reading until it is answered."""
    context = make_context(
        connectors=connector,
        deep_seconds=seconds,
        deep_pages=pages,
        language=language,
        space=space,
        fresh=fresh,
    )
    from serving.report_questions import ask_report, describe_reach
    from serving.runs import run_deep_search

    answer = run_with_progress(
        lambda progress: (
            ask_report(report, question, progress, may_search=search)
            if report
            else run_deep_search(question, context, progress)
        )
    )
    if as_json:
        print_json(answer)
    else:
        from exports.markdown import render_answer

        print_stdout(render_answer(answer), end="")
    if not answer["found"]:
        raise QuireError("The sources do not answer it: add some, or ask in other words.")
    if report:
        print_stderr(describe_reach(answer))
