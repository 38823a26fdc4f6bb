"""`quire ask`: the answer to one question, or what is said to a saved report."""

from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import make_context, run_with_progress
from cli.options import ConnectorsOption, FreshOption, JsonOption, QuestionArgument, SpaceOption
from cli.revision_output import print_revision
from cli.safe_output import print_json, print_stderr, print_stdout
from schema.errors import QuireError

if TYPE_CHECKING:
    from schema.deep_search import DeepAnswer


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
    """Answer one question by searching and reading until it is answered.

    With --report: do what is said to a saved report. A question is answered beside it; "make it
    shorter" or "add the costs" become its next version.
    """
    context = make_context(
        connectors=connector,
        deep_seconds=seconds,
        deep_pages=pages,
        language=language,
        space=space,
        fresh=fresh,
    )
    if report:
        _follow_up(report, question, may_search=search, as_json=as_json)
        return
    from serving.runs import run_deep_search

    answer = run_with_progress(lambda progress: run_deep_search(question, context, progress))
    _print_answer(answer, as_json=as_json)


def _follow_up(identity: str, message: str, *, may_search: bool, as_json: bool) -> None:
    """Do what is said to a report, and say what it was taken as."""
    from nodes.common.follow_up import describe_follow_up, describe_reach
    from serving.follow_ups import follow_up

    done = run_with_progress(
        lambda progress: follow_up(identity, message, progress, may_search=may_search)
    )
    print_stderr(describe_follow_up(done.taken_as))
    if done.answer:
        _print_answer(done.answer, as_json=as_json)
        print_stderr(describe_reach(done.answer))
    elif done.report and as_json:
        print_json(done.report)
    elif done.report:
        print_revision(done.report, done.taken_as.section_numbers)


def _print_answer(answer: "DeepAnswer", *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
    else:
        from exports.markdown import render_answer

        print_stdout(render_answer(answer), end="")
    if not answer["found"]:
        raise QuireError("The sources do not answer it: add some, or ask in other words.")
