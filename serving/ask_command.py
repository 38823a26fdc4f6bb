"""`quire ask`: the answer to one question, searched and read for until it is found."""

from typing import Annotated

import typer

from schema.deep_search import DeepAnswer
from schema.errors import QuireError
from serving.options import AsJson, Connectors, Fresh, Question, Space
from serving.plain import say, say_json
from serving.terminal import context_from, run


def ask(
    question: Annotated[str, Question],
    connector: Connectors = None,
    seconds: Annotated[float, typer.Option(help="Longest that the search may take.")] = 300,
    pages: Annotated[int, typer.Option(help="Most pages of the web that it may read.")] = 30,
    language: Annotated[str, typer.Option(help="Language of the answer, such as en or zh.")] = "",
    space: Space = "default",
    fresh: Fresh = False,
    as_json: AsJson = False,
) -> None:
    """Answer one question by searching and reading until it is answered."""
    context = context_from(
        connectors=connector,
        deep_seconds=seconds,
        deep_pages=pages,
        language=language,
        space=space,
        fresh=fresh,
    )

    async def work() -> DeepAnswer:
        from serving.progress import RunProgress
        from serving.runs import run_deep_search

        with RunProgress() as progress:
            return await run_deep_search(question, context, progress)

    answer = run(work)
    if as_json:
        say_json(answer)
    else:
        from exports.markdown import answer_markdown

        say(answer_markdown(answer), end="")
    if not answer["found"]:
        raise QuireError("The sources do not answer it: add some, or ask in other words.")
