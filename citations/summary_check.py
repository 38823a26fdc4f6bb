"""Which sentences of a summary stand on the sections that it sums up."""

import re
from collections.abc import Collection, Sequence
from itertools import count
from typing import Literal

from citations.checked_sentence import CheckedSentence
from citations.claim_facts import SentenceFacts
from citations.conclusion_forms import gives_view, leans_back
from citations.edits import replace_sentences
from citations.evidence_span import SourcePassages
from citations.markers import (
    find_cited_sentences,
    find_markers,
    normalise_markers,
    rewrite_marker_runs,
    strip_markers,
)
from citations.verdict import OTHERWISE, judge_claim
from schema.documents import Passage
from text.sentences import Sentence

LineKind = Literal["position", "fact", "conclusion", "remark"]
"""What a line of a summary is to be: a fact cites and is supported, a conclusion, and the position
above all, speaks of what the sections speak of, a remark may speak of the sources as such."""

MIN_SHARED = 0.5
"""Share of a conclusion's words that the sections have."""

MIN_SHARED_OF_CITED = 0.33
"""Share of a fact's words that a sentence of a section has which cites the same source for it."""

_EVERY_NUMBER = range(1_000_000_000)  # what is no section's is cut below, with its sentence
_LABEL = re.compile(r"[^.:：!?]{2,60}[:：]\s")
_LEADING_MARKUP = re.compile(r"^(?:(?:[-*+•>|]|#{1,6}|\d{1,3}[.)])\s+)+")


class SectionFacts:
    """What the sections of a report say, and the sources that they name.

    Attributes:
        numbers: those of their citation markers.
        language: theirs.
    """

    def __init__(self, texts: Sequence[str], more: Sequence[str], language: str) -> None:
        """Args: texts: of the sections. more: that may be repeated, too. language: of all."""
        self.numbers = frozenset(number for text in texts for number in find_markers(text))
        self._citing = [
            (frozenset(numbers), SentenceFacts(strip_markers(text[one.start : one.end]), language))
            for text in texts
            for one, numbers in find_cited_sentences(text, language)
            if numbers
        ]
        self.language = language
        bare = [*(rewrite_marker_runs(text, lambda _: "") for text in texts), *more]
        self._said = SourcePassages(
            [Passage(chunk=0, document=0, start=0, end=len(one), text=one) for one in bare],
            language,
        )

    def is_new(self, claim: str) -> bool:
        """Whether a claim brings a figure, a date or a name that they have not."""
        facts, said = SentenceFacts(claim, self.language), self._said.facts
        return bool(said.find_missing_numbers(facts) or said.find_missing_names(facts))

    def tells(self, claim: str) -> bool:
        """Whether they say it themselves, which their own citations bear out."""
        return judge_claim(claim, self._said).kind == "supported"

    def cites(self, claim: str, numbers: Collection[int]) -> bool:
        """Whether sentences of theirs that speak of the same cite each of the numbers."""
        weights = SentenceFacts(claim, self.language).weights
        least = MIN_SHARED_OF_CITED * sum(weights.values())
        near = [
            cited
            for cited, facts in self._citing
            if sum(w for term, w in weights.items() if term in facts.unique_terms) >= least
        ]
        return set(numbers) <= frozenset[int]().union(*near)

    def shares_words(self, claim: str) -> bool:
        """Whether it speaks of what they speak of."""
        weights = SentenceFacts(claim, self.language).weights
        held = sum(weight for term, weight in weights.items() if term in self._said.terms)
        return held >= MIN_SHARED * sum(weights.values())


def cut_outdated(
    summary: str, before: Sequence[str], after: Sequence[str], language: str
) -> tuple[str, int]:
    """A summary without what a rewritten section no longer bears out.

    A sentence goes that cites a source, or has a figure, a date or a name, which the sections had
    and have no more. Where that leaves nothing that cites, the summary stays as it is.

    Args:
        summary: its text.
        before: the sections when it was written.
        after: the same as they are now, with the same numbers.
        language: of all.

    Returns:
        The text, and how many sentences were cut.
    """
    had, have = SectionFacts(before, [], language), SectionFacts(after, [], language)
    lost = had.numbers - have.numbers
    changes: list[tuple[Sentence, str]] = []
    for sentence, numbers in find_cited_sentences(summary, language):
        claim = strip_markers(summary[sentence.start : sentence.end])
        if not lost.isdisjoint(numbers) or (have.is_new(claim) and not had.is_new(claim)):
            changes.append((sentence, ""))
    text = _tidy_blocks(replace_sentences(summary, changes))
    return (text, len(changes)) if find_markers(text) else (summary, 0)


def _tidy_blocks(text: str) -> str:
    """A text whose lists count from one, without headings that nothing follows."""
    blocks = [block for block in text.split("\n\n") if block.strip()]
    kept = [
        block
        for block, behind in zip(blocks, [*blocks[1:], "#"], strict=True)
        if not (block.startswith("#") and behind.startswith("#"))
    ]
    return "\n\n".join(map(_renumber_items, kept))


def _renumber_items(block: str) -> str:
    places = count(1)
    return re.sub(r"^\d{1,3}\. ", lambda _: f"{next(places)}. ", block, flags=re.MULTILINE)


def clean_line(text: str) -> str:
    """A part of a summary on one line, without markup before it, its markers normalised."""
    line = _LEADING_MARKUP.sub("", " ".join(text.split()))
    return normalise_markers(line, _EVERY_NUMBER)[0]


def keep_founded(
    line: str, found: Sequence[CheckedSentence], said: SectionFacts, kind: LineKind
) -> str:
    """A line of a summary without the sentences that the sections do not bear out.

    A fact that a section tells in these words, as from a row of its table, stands as it is where
    the section cites the same for it. A conclusion that the source it names does not support stands
    without the marker, and what it advises need not be what a source does. What can be read only
    behind a sentence that goes goes with it, and so does what its label named; a position has none.

    Args:
        line: as `clean_line` returns it.
        found: its sentences as they were checked against the sources that they cite.
        said: what the sections say.
        kind: what the line is to be.
    """
    if not found:
        return ""
    changes: list[tuple[Sentence, str]] = []
    has_label = kind != "position" and bool(_LABEL.match(found[0].text))
    for one in found:
        is_left = bool(changes) and not changes[-1][1]
        orphaned = is_left and (has_label or leans_back(one.claim, said.language))
        changes.append((one.sentence, "" if orphaned else _keep_sentence(one, said, kind)))
    return replace_sentences(line, changes)


def _keep_sentence(one: CheckedSentence, said: SectionFacts, kind: LineKind) -> str:
    numbers = set(find_markers(one.text))
    if not numbers <= said.numbers or said.is_new(one.claim):
        return ""
    if one.is_supported:
        return one.text
    if numbers and said.tells(one.claim):
        return one.text if said.cites(one.claim, numbers) else strip_markers(one.text)
    concludes = kind in ("position", "conclusion")
    otherwise = {code for verdict in one.verdicts.values() for code, _ in verdict.reasons}
    advises = concludes and gives_view(one.claim, said.language)
    if not (advises or otherwise.isdisjoint(OTHERWISE)):
        return ""
    if kind == "fact" or (concludes and not said.shares_words(one.claim)):
        return ""
    return strip_markers(one.text)
