"""The words of a text that name its subject, and families of words."""

from citations.general_words import compile_general_words, load_general_terms
from text.tokens import content_weight, tokenise

MIN_PREFIX, MIN_PREFIX_SHARE = 5, 0.7
"""Letters, and share of the shorter word, in which words of one family agree: punctual and
punctuality, Heizkörper and Heizung."""


def find_content_terms(text: str, language: str) -> frozenset[str]:
    """The terms of a text that name its subject: no function words, no general ones, no figures."""
    if general := compile_general_words(language):
        text = general.sub(" ", text)
    known = load_general_terms(language)
    return frozenset(
        term
        for term in tokenise(text, language)
        if content_weight(term, language) == 1
        and term not in known
        and not any(character.isdigit() for character in term)
    )


def count_common_terms(one: str, other: str, language: str) -> int:
    """How many words of content of a text have one of their family in another."""
    known = find_content_terms(other, language)
    return sum(has_kin(term, known) for term in find_content_terms(one, language))


def has_kin(term: str, known: frozenset[str]) -> bool:
    """Whether a term, or one of its family, is among others."""
    return term in known or any(_is_kin(term, other) for other in known)


def _is_kin(one: str, other: str) -> bool:
    shorter = min(len(one), len(other))
    if shorter < MIN_PREFIX:
        return False
    length = max(MIN_PREFIX, round(MIN_PREFIX_SHARE * shorter))
    return one[:length] == other[:length]
