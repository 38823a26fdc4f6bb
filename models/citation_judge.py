"""A model's verdicts on citations: what passages say of sentences that cite them."""

from collections.abc import Sequence

from models.calls import Role
from models.structured import ask_structured
from prompts.judge_citations import CitedSentence, JudgeCitationsPrompt
from schema.editing import ItemJudgement, ItemJudgements
from schema.report import ModelCall


async def judge_citations(
    role: Role, asked: Sequence[tuple[str, str]]
) -> tuple[list[ItemJudgement | None], list[ModelCall]]:
    """Ask once for all of (sentence, passage).

    Returns:
        A verdict for each, None where the model left one out; and the calls.

    Raises:
        ModelOutputError: the answer cannot be used.
        ModelUnavailableError: the model does not answer.
    """
    prompt = JudgeCitationsPrompt(sentences=[CitedSentence(*pair) for pair in asked])
    made, calls = await ask_structured(role, prompt, ItemJudgements)
    judged = {one.item: one for one in made.citations}
    return [judged.get(n) for n in range(1, len(asked) + 1)], calls
