"""A model's verdicts on citations: what passages say of sentences that cite them."""

import asyncio
import time
from collections.abc import Sequence

from models.calls import Role
from models.errors import translate_errors
from models.local.names import is_local
from models.structured import ask_structured
from prompts.judge_citations import CitedSentence, JudgeCitationsPrompt
from schema.editing import ItemJudgement, ItemJudgements
from schema.report import ModelCall
from schema.settings import get_settings


async def judge_citations(
    role: Role, asked: Sequence[tuple[str, str]]
) -> tuple[list[ItemJudgement | None], list[ModelCall]]:
    """Ask once for all of (sentence, passage); a language model, or a checker on this machine.

    Returns:
        A verdict for each, None where the model left one out; and the calls.

    Raises:
        ModelOutputError: the answer cannot be used.
        ModelUnavailableError: the model does not answer.
    """
    if is_local(role.model):
        return await _judge_locally(role, asked)
    prompt = JudgeCitationsPrompt(sentences=[CitedSentence(*pair) for pair in asked])
    made, calls = await ask_structured(role, prompt, ItemJudgements)
    judged = {one.item: one for one in made.citations}
    return [judged.get(n) for n in range(1, len(asked) + 1)], calls


async def _judge_locally(
    role: Role, asked: Sequence[tuple[str, str]]
) -> tuple[list[ItemJudgement | None], list[ModelCall]]:
    from models.local.checker import check_pairs, prepare_checker  # noqa: PLC0415

    seconds = get_settings().model_seconds
    started = time.monotonic()
    with translate_errors(role.model):
        async with asyncio.timeout(role.run.seconds_left if role.run else None):
            await prepare_checker(role.model)  # which may take minutes, once
            async with asyncio.timeout(seconds):
                found = await check_pairs(role.model, asked)
    judged: list[ItemJudgement | None] = [
        ItemJudgement(item=n, verdict=one.meaning, confidence=one.confidence)
        for n, one in enumerate(found.pairs, start=1)
    ]
    taken = round(time.monotonic() - started, 3)
    call = ModelCall(
        role=role.name, model=role.model, input_tokens=found.tokens, output_tokens=0, seconds=taken
    )
    return judged, [call]
