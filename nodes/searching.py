"""What the nodes that search have in common: telling of answers and of losses."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from connectors.ask import Answered
from nodes.run import emit
from schema.context import Context
from schema.events import SourceAsked
from schema.report import Degraded


def announce(runtime: Runtime[Context], answered: Answered) -> None:
    """Stream one answer."""
    emit(
        runtime,
        SourceAsked(
            type="searched",
            connector=answered.connector,
            question=answered.question,
            found=len(answered.hits),
            seconds=answered.seconds,
            error="; ".join(problem["detail"] for problem in answered.degraded),
        ),
    )


def lost(answers: Sequence[Answered]) -> list[Degraded]:
    """What the searches lost, each once."""
    problems = [problem for answered in answers for problem in answered.degraded]
    return list({problem["detail"]: problem for problem in problems}.values())
