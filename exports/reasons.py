"""Why a source does not support a sentence, in words."""

from collections.abc import Iterable, Iterator

from exports.labels import Labels

_MISSING = frozenset({"number", "date", "unit", "name", "acronym", "words"})
_OTHERWISE = frozenset({"negation", "opposite"})


def explain_reasons(reasons: Iterable[str], words: Labels) -> Iterator[str]:
    """The reasons of a citation, as sentences.

    Args:
        reasons: each a code of `citations.verdict`, a colon and the words concerned.
        words: the labels in the report's language.
    """
    found: dict[str, list[str]] = {}
    for reason in reasons:
        code, _, detail = reason.partition(": ")
        if code in _MISSING:
            found.setdefault(words.missing, []).append(detail)
        elif code in _OTHERWISE:
            found.setdefault(words.otherwise, []).append(detail)
        elif code == "language":
            found.setdefault(words.foreign, []).append(detail)
        else:
            found.setdefault("{words}", []).append(reason)
    for sentence, concerned in found.items():
        yield sentence.replace("{words}", ", ".join(concerned))
