"""A model's verdicts on citations: what passages say of sentences that cite them."""

from collections.abc import Sequence

from models.calls import Role
from models.structured import ask_structured
from prompts.judge_citations import JUDGE_CITATIONS
from prompts.template import fence
from schema.report import ModelCall
from schema.revising import JudgedItem, JudgedItems


async def judged(
    role: Role, asked: Sequence[tuple[str, str]]
) -> tuple[list[JudgedItem | None], list[ModelCall]]:
    """Ask once for all of (sentence, passage).

    Returns:
        A verdict for each, None where the model left one out; and the calls.

    Raises:
        ModelOutputError: the answer cannot be used.
        ModelUnavailableError: the model does not answer.
    """
    messages = JUDGE_CITATIONS.render(
        sentences="\n".join(
            f'<item n="{n}">\n<sentence>{fence(claim)}</sentence>\n'
            f"<passage>{fence(passage)}</passage>\n</item>"
            for n, (claim, passage) in enumerate(asked, start=1)
        )
    )
    made, calls = await ask_structured(role, JUDGE_CITATIONS.name, messages, JudgedItems)
    said = {one.item: one for one in made.citations}
    return [said.get(n) for n in range(1, len(asked) + 1)], calls
