"""Checkers of citations that run on this machine: does a passage say what a sentence says?"""

from collections.abc import Sequence
from dataclasses import dataclass

from citations.bands import Scores
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


@dataclass(frozen=True)
class CheckedPairs:
    """What a checker makes of pairs, in order, and the tokens that were read."""

    scores: list[Scores]
    tokens: int


async def prepare_checker(name: str) -> None:
    """Fetch, open and try a checker. Raises as `check_pairs` does."""
    await prepare_head(name)


async def check_pairs(name: str, pairs: Sequence[tuple[str, str]]) -> CheckedPairs:
    """Score each (sentence, passage).

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
        [_read_scores(dict(zip(meanings, row, strict=True))) for row in chances],
        sum(len(one.ids) for one in tokens),
    )


def _read_scores(chances: dict[Meaning, float]) -> Scores:
    return Scores(chances["supported"], chances.get("contradicted", 0.0))
