"""Checkers of citations that run on this machine: does a passage say what a sentence says?"""

from collections.abc import Sequence
from dataclasses import dataclass

from models.local.heads import (
    Meaning,
    find_chances,
    prepare_head,
    read_meanings,
    score_tokens,
)
from models.local.traits import read_json
from schema.errors import ModelUnavailableError
from text.language import detect_language

MIN_CONTRADICTED = 0.9
"""Chance from which on a passage speaks against a sentence. What is contradicted is cut from a
report, and a passage on something near by looks like it."""


@dataclass(frozen=True)
class CheckedPair:
    """What a passage says of a sentence, and the chance that the checker gives it."""

    meaning: Meaning
    confidence: float


@dataclass(frozen=True)
class CheckedPairs:
    """The verdicts on pairs, in order, and the tokens that were read."""

    pairs: list[CheckedPair]
    tokens: int


async def prepare_checker(name: str) -> None:
    """Fetch, open and try a checker. Raises as `check_pairs` does."""
    await prepare_head(name)


async def check_pairs(name: str, pairs: Sequence[tuple[str, str]]) -> CheckedPairs:
    """Verdicts on (sentence, passage).

    Raises:
        InputError: the name cannot be used.
        ModelUnavailableError: the model cannot be used, or does not know the language.
    """
    model, labels = await prepare_head(name)
    traits = model.weights.traits
    language = detect_language("\n".join(sentence for sentence, _ in pairs))
    if traits.languages and language not in traits.languages:
        raise ModelUnavailableError(
            f"The checker {name} does not know the language of the sentences ({language})."
        )
    told = read_json(model.weights.folder / "config.json").get("id2label") or {}
    try:
        meanings = read_meanings(told, labels)
    except ValueError as error:
        raise ModelUnavailableError(
            f"The checker {name} cannot be used: {error}. Name them in id2label of its config.json."
        ) from error
    tokens = await model.tokenise(
        [
            traits.template.format(passage=passage, sentence=sentence)
            if traits.template
            else (passage, sentence)
            for sentence, passage in pairs
        ]
    )
    chances = find_chances(await score_tokens(model, tokens)).tolist()
    return CheckedPairs(
        [_decide(dict(zip(meanings, row, strict=True))) for row in chances],
        sum(len(one.ids) for one in tokens),
    )


def _decide(chances: dict[Meaning, float]) -> CheckedPair:
    supported = chances["supported"]
    contradicted = chances.get("contradicted", 0.0)
    if contradicted >= MIN_CONTRADICTED:
        return CheckedPair("contradicted", contradicted)
    if supported >= max(0.5, contradicted):
        return CheckedPair("supported", supported)
    return CheckedPair("absent", 1 - supported)
