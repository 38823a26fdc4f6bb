"""Why a sentence is sent back to its writer, in plain words."""

from collections.abc import Iterable

from citations.checked_sentence import CheckedSentence
from citations.claim_facts import SentenceFacts
from citations.source_facts import Reason
from citations.verdict import MIN_SUBJECT_SHARE, OTHERWISE, CitationVerdict
from text.tokens import tokenise

UNCITED = "it cites no source for what is new in it"

_MAX_TOLD = 3
"""Figures, names and words that a reason gives."""


def explain_failure(found: CheckedSentence, language: str) -> str:
    """Why no source bears out a sentence: what it names or counts that those it cites do not.

    It speaks of what was shown of a source, never of all of it.

    Args:
        found: a sentence that fails.
        language: of the sentence.
    """
    if not found.verdicts:
        return UNCITED
    number, nearest = max(found.verdicts.items(), key=lambda one: one[1].support)
    against = [n for n, one in found.verdicts.items() if one.kind == "contradicted"]
    told = [f"{_name_sources(against)} says otherwise"] if found.is_contradicted else []
    told += [
        _explain_figure(reason, found, number, nearest, language)
        for reason in found.lacking_numbers[:_MAX_TOLD]
    ]
    names = [words for code, words in nearest.reasons if code == "name"][:_MAX_TOLD]
    if names:
        told.append(f"it names {_quote(names)}, which no shown passage of source {number} does")
    if told:
        return "; ".join(told)
    lacking = f"no shown passage of {_name_sources(found.verdicts)} says this"
    return f"{lacking}{_point_at(nearest, found)}"


def _explain_figure(
    reason: Reason, found: CheckedSentence, number: int, nearest: CitationVerdict, language: str
) -> str:
    """A figure that no cited source has, and what the nearest one gives in its place."""
    code, written = reason
    if code == "unit":
        return f"source {number} gives the figure of “{written}” in another unit"
    other = _find_other_figure(written, found, nearest, language)
    if other:
        return f"source {number} gives {other}, not {written}"
    return f"no shown passage of {_name_sources(found.verdicts)} gives {written}"


def _find_other_figure(
    written: str, found: CheckedSentence, nearest: CitationVerdict, language: str
) -> str:
    """The one figure of the same unit in the span of a source that speaks of the same; else ""."""
    if not nearest.span or nearest.span.share < MIN_SUBJECT_SHARE:
        return ""
    claim = SentenceFacts(found.claim, language)
    asked = [q for q in claim.quantities if claim.text[q.start : q.end] == written]
    if not asked or not (asked[0].unit or asked[0].is_year):
        return ""
    said = {(q.value, q.unit) for q in claim.quantities}
    span = SentenceFacts(nearest.span.quote, language)
    others = {
        span.text[q.start : q.end]
        for q in span.quantities
        if (q.unit, q.is_year) == (asked[0].unit, asked[0].is_year)
        and (q.value, q.unit) not in said
    }
    return others.pop() if len(others) == 1 else ""


def _point_at(nearest: CitationVerdict, found: CheckedSentence) -> str:
    """What to look at in a sentence that a source does not say as it stands, or in the source."""
    opposed = [words for code, words in nearest.reasons if code in OTHERWISE][:_MAX_TOLD]
    if opposed:
        is_own = not set(tokenise(found.claim)).isdisjoint(opposed)
        return f" as it stands: {'look at' if is_own else 'the nearest has'} {_quote(opposed)}"
    missing = [words for code, words in nearest.reasons if code == "words"]
    return f"; the nearest lacks: {', '.join(missing[0].split())}" if missing else ""


def _name_sources(numbers: Iterable[int]) -> str:
    *first, last = map(str, numbers)
    return f"sources {', '.join(first)} and {last}" if first else f"source {last}"


def _quote(words: Iterable[str]) -> str:
    return ", ".join(f"“{one}”" for one in dict.fromkeys(words))
