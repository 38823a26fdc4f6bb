"""A sentence of a text with what was found of each of its citations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from citations.bands import WORDS
from citations.markers import strip_markers
from citations.source_facts import Reason
from citations.verdict import CitationVerdict
from schema.report import UNSUPPORTED_FLAG, SentenceKind, VerdictKind
from text.sentences import Sentence

NUMBER_REASONS = ("number", "date", "unit")
"""Reasons that a number of the sentence is not in its source."""


def extract_claim(sentence: str) -> str:
    """What a sentence says, without its markers and the flag that it is not supported."""
    return strip_markers(sentence).replace(UNSUPPORTED_FLAG, "").strip()


@dataclass(frozen=True)
class CheckedSentence:
    """A sentence of a section: `text[start:end]`, with a verdict by number it cites.

    `kind` says what it does; `near` are numbers of cited sentences near one that cites nothing;
    `lacking_numbers` are its numbers and dates that none of the sources has that it cites.
    """

    sentence: Sentence
    text: str
    verdicts: Mapping[int, CitationVerdict]
    kind: SentenceKind = "fact"
    near: tuple[int, ...] = ()
    lacking_numbers: tuple[Reason, ...] = ()

    @property
    def claim(self) -> str:
        """What it says, without its markers."""
        return extract_claim(self.text)

    @property
    def is_supported(self) -> bool:
        """Whether a source supports it, and each of its numbers is in one of its sources."""
        found = self.verdicts.values()
        backed = any(one.kind in ("supported", "partial") for one in found)
        return backed and not self.lacking_numbers

    @property
    def fails(self) -> bool:
        """Whether it is a fact that no source supports."""
        return self.kind == "fact" and not self.is_supported

    @property
    def is_contradicted(self) -> bool:
        """Whether no source supports it and, by a measured model, one says otherwise."""
        kinds: set[VerdictKind] = {one.kind for one in self.verdicts.values()}
        return not self.is_supported and "contradicted" in kinds


def count_rows(text: str, behind: Sequence[CheckedSentence]) -> int:
    """The rows of the table, or the items of the list, that begins with the first sentence."""
    rows = take_rows(behind)
    starts = {text.rfind("\n", 0, one.sentence.start) for one in rows}
    return len(starts) - (bool(rows) and rows[0].sentence.kind == "table")


def take_rows(behind: Sequence[CheckedSentence]) -> list[CheckedSentence]:
    """The rows of a table, or the items of a list, that sentences begin with."""
    kind = behind[0].sentence.kind if behind else "prose"
    return [*takewhile(lambda one: one.sentence.kind == kind != "prose", behind)]


def is_undecided(found: CitationVerdict) -> bool:
    """Whether words and numbers leave open what a source says: it may say it in other words."""
    if found.kind == "supported":
        return found.support < WORDS.supported
    return found.support >= WORDS.unsupported
