"""A model's verdicts on citations: what passages say of sentences that cite them."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from citations.bands import Decision, Scores, accept, decide, find_band
from models.calls import Role
from models.errors import translate_errors
from models.local.names import is_local
from models.structured import ask_structured
from prompts.judge_citations import CitedSentence, JudgeCitationsPrompt
from schema.editing import ItemJudgements
from schema.report import CheckStep, ModelCall
from schema.settings import get_settings


@dataclass(frozen=True)
class Opinion:
    """What a model says of one citation: its scores, and what its band makes of them."""

    scores: Scores
    decision: Decision


def name_step(role: Role) -> CheckStep:
    """Which step of the check a role is."""
    return "checker" if is_local(role.model) else "model"


async def judge_citations(
    role: Role, asked: Sequence[tuple[str, str]]
) -> tuple[list[Opinion | None], list[ModelCall]]:
    """Ask once for all of (sentence, passage); a language model, or a checker on this machine.

    Returns:
        An opinion of each, None where the model left one out; and the calls.

    Raises:
        ModelOutputError: the answer cannot be used.
        ModelUnavailableError: the model does not answer.
    """
    if is_local(role.model):
        return await _judge_locally(role, asked)
    prompt = JudgeCitationsPrompt(sentences=[CitedSentence(*pair) for pair in asked])
    made, calls = await ask_structured(role, prompt, ItemJudgements)
    band = find_band(role.model)
    judged = {
        one.item: Opinion(*accept(band, one.verdict, one.confidence)) for one in made.citations
    }
    return [judged.get(n) for n in range(1, len(asked) + 1)], calls


async def _judge_locally(
    role: Role, asked: Sequence[tuple[str, str]]
) -> tuple[list[Opinion | None], list[ModelCall]]:
    from models.local.checker import check_pairs, prepare_checker  # noqa: PLC0415

    seconds = get_settings().model_seconds
    started = time.monotonic()
    with translate_errors(role.model):
        async with asyncio.timeout(role.run.seconds_left if role.run else None):
            await prepare_checker(role.model)  # which may take minutes, once
            async with asyncio.timeout(seconds):
                found = await check_pairs(role.model, asked)
    band = find_band(role.model)
    taken = round(time.monotonic() - started, 3)
    call = ModelCall(
        role=role.name, model=role.model, input_tokens=found.tokens, output_tokens=0, seconds=taken
    )
    return [Opinion(one, decide(band, one)) for one in found.scores], [call]
