"""`quire ask`: the answer to one question, searched and read for until it is found."""

import json
from typing import Annotated

import typer

from schema.deep_search import DeepAnswer
from schema.errors import QuireError
from serving.terminal import context_from, run


def ask(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    connector: Annotated[
        list[str] | None, typer.Option(help="Source to ask; repeatable. Default: all set up.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Longest that it may take.")] = 300,
    pages: Annotated[int, typer.Option(help="Pages of the web that it may read.")] = 30,
    language: Annotated[str, typer.Option(help="Language of the answer, as in en or zh.")] = "",
    space: Annotated[str, typer.Option(help="Search space of the library.")] = "default",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Answer one question by searching and reading until it is answered."""
    context = context_from(
        connectors=connector,
        deep_seconds=seconds,
        deep_pages=pages,
        language=language,
        space=space,
    )

    async def work() -> DeepAnswer:
        from serving.progress import RunProgress
        from serving.runs import run_deep_search

        with RunProgress() as progress:
            return await run_deep_search(question, context, progress)

    answer = run(work)
    if as_json:
        typer.echo(json.dumps(answer, ensure_ascii=False, indent=2))
    else:
        from exports.markdown import answer_markdown

        typer.echo(answer_markdown(answer))
    if not answer["found"]:
        raise QuireError("The sources do not answer it: add some, or ask in other words.")
