"""What becomes of sentences that were checked, and which other sources speak against them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from citations.check import NUMBER_REASONS, CheckedSentence
from citations.claim_facts import SentenceFacts
from citations.edits import replace_sentences
from citations.evidence_span import SourcePassages
from citations.markers import locate_markers, normalise_markers, strip_markers
from citations.verdict import OTHERWISE, judge_claim
from schema.report import UNSUPPORTED_FLAG
from text.sentences import Sentence

MIN_SUBJECT_SHARE = 0.75
"""Share of a sentence that what another source says must hold to be shown as speaking against it:
less, and it most often speaks of something else."""

_STOPS, _BEHIND_STOPS = ".!?。！？؟…", " \t\n\"'”’»」)]*_"


def apply_verdicts(
    text: str, found: Sequence[CheckedSentence]
) -> tuple[str, list[CheckedSentence]]:
    """Cut what a model found contradicted and no source supports; flag other facts without support.

    The last sentence of a text that cites anything is not cut: it is flagged. Rows of tables are
    left as they are. A marker without a verdict is dropped: nothing was read of its source.

    Args:
        text: whose markers are normalised.
        found: its sentences as they were checked.

    Returns:
        The text, and the sentences that are left of it, in order.
    """
    changes: list[tuple[Sentence, str]] = []
    left: list[CheckedSentence] = []
    citing = sum(bool(one.verdicts) for one in found)
    for one in found:
        if not one.fails or one.sentence.kind == "table":
            left.append(one)
        elif one.is_contradicted and citing > 1:
            changes.append((one.sentence, ""))
            citing -= 1
        else:
            flagged = _flag_unsupported(one.text if one.verdicts else strip_markers(one.text))
            changes.append((one.sentence, flagged))
            left.append(replace(one, text=flagged))
    # a cut may part two backticks, and what was code is then a marker that nobody wrote as one
    read = {number for one in found for number in one.verdicts}
    return normalise_markers(replace_sentences(text, changes), read)[0], left


def _flag_unsupported(text: str) -> str:
    """A sentence with the flag behind its last marker, or before its stop, once."""
    text = text.replace(f" {UNSUPPORTED_FLAG}", "")
    end = max((marker.end for marker in locate_markers(text)), default=0)
    if not end:
        end = len(text.rstrip(_BEHIND_STOPS).rstrip(_STOPS))
    return f"{text[:end]} {UNSUPPORTED_FLAG}{text[end:]}" if end else text


def find_contradicting_sources(
    found: Sequence[CheckedSentence], others: Mapping[int, SourcePassages]
) -> list[tuple[int, int, str]]:
    """Sources that may speak against a sentence that another source supports.

    Args:
        found: the sentences of a text.
        others: all sources by number.

    Returns:
        (position of the sentence, number of the source, what it says).
    """
    against = []
    for position, one in enumerate(found):
        if one.verdicts and one.is_supported:
            quotes = [
                (number, _find_contradicting_quote(one.claim, source))
                for number, source in others.items()
            ]
            against += [(position, number, quote) for number, quote in quotes if quote]
    return against


def _find_contradicting_quote(claim: str, source: SourcePassages) -> str:
    """What a source may say against a claim; "" where it does not.

    A source that lacks a number of a claim speaks of another part of it.
    """
    facts = SentenceFacts(claim, source.language)
    whole = sum(facts.weights.values()) or 1.0
    if (
        sum(w for term, w in facts.weights.items() if term in source.terms)
        < MIN_SUBJECT_SHARE * whole
    ):
        return ""  # a hundredth of a verdict's time
    verdict = judge_claim(claim, source)
    codes = {code for code, _ in verdict.reasons}
    if codes.isdisjoint(OTHERWISE) or not codes.isdisjoint(NUMBER_REASONS):
        return ""
    return verdict.span.quote if verdict.span and verdict.span.share >= MIN_SUBJECT_SHARE else ""
