"""Why a source does not bear a sentence out, in words."""

from collections.abc import Iterable, Iterator

from exports.labels import Labels

_MISSING = frozenset({"number", "date", "unit", "name", "acronym", "words"})
_OTHERWISE = frozenset({"negation", "opposite"})


def in_words(reasons: Iterable[str], words: Labels) -> Iterator[str]:
    """The reasons of a citation, as sentences.

    Args:
        reasons: each a code of `retrieval.verdicts`, a colon and the words concerned.
        words: the labels in the report's language.
    """
    found: dict[str, list[str]] = {}
    for reason in reasons:
        code, _, said = reason.partition(": ")
        if code in _MISSING:
            found.setdefault(words.missing, []).append(said)
        elif code in _OTHERWISE:
            found.setdefault(words.otherwise, []).append(said)
        elif code == "language":
            found.setdefault(words.foreign, []).append(said)
        else:
            found.setdefault("{words}", []).append(reason)
    for sentence, concerned in found.items():
        yield sentence.replace("{words}", ", ".join(concerned))
