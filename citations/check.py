"""Which sentences of a text are supported, by what was found of each of their citations."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import takewhile

from citations.bands import WORDS
from citations.cited_parts import find_cited_parts, join_cells
from citations.claim_facts import SentenceFacts
from citations.edits import replace_sentences
from citations.evidence_span import SourcePassages
from citations.markers import (
    find_cited_sentences,
    find_markers,
    locate_markers,
    normalise_markers,
    strip_markers,
)
from citations.section_context import CitingSentence, SectionContext
from citations.sentence_kinds import classify_sentence, is_header_row
from citations.source_facts import Reason
from citations.verdict import OTHERWISE, CitationVerdict, judge_claim
from schema.report import UNSUPPORTED_FLAG, SentenceKind, VerdictKind
from text.sentences import Sentence

MIN_SUBJECT_SHARE = 0.75
"""Share of a sentence that what another source says must hold to be shown as speaking against it:
less, and it most often speaks of something else."""

NUMBER_REASONS = ("number", "date", "unit")
"""Reasons that a number of the sentence is not in its source."""

_STOPS, _BEHIND_STOPS = ".!?。！？؟…", " \t\n\"'”’»」)]*_"


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


def check_sentences(
    text: str, sources: Mapping[int, SourcePassages], language: str, title: str = ""
) -> list[CheckedSentence]:
    """Judge each citation of a text, and say what each sentence does.

    Args:
        text: whose markers are normalised.
        sources: what was read of each source, by number.
        language: of the text.
        title: of the section.
    """
    found = []
    for sentence, numbers in find_cited_sentences(text, language):
        cited = text[sentence.start : sentence.end]
        read = {number: sources[number] for number in numbers if number in sources}
        found.append(_check_sentence(sentence, cited, read, language))
    return assign_kinds(text, found, sources, language, title)


def _check_sentence(
    sentence: Sentence, cited: str, read: Mapping[int, SourcePassages], language: str
) -> CheckedSentence:
    """A citation is judged by all of its sentence, else by the part that it stands behind."""
    claim = extract_claim(join_cells(cited) if sentence.kind == "table" else cited)
    whole = {number: judge_claim(claim, source) for number, source in read.items()}
    missing = [[r for r in one.reasons if r[0] in NUMBER_REASONS] for one in whole.values()]
    lacking = [r for r in missing[0] if all(r in other for other in missing)] if missing else []
    verdicts = dict(whole)
    parts = {} if lacking else find_cited_parts(cited, sentence.kind, language)
    for number, part in parts.items():
        if number in whole and whole[number].kind != "supported":
            found = judge_claim(extract_claim(part), read[number])
            if found.kind == "supported":
                verdicts[number] = found
    return CheckedSentence(sentence, cited, verdicts, lacking_numbers=tuple(lacking))


def assign_kinds(
    text: str,
    found: Sequence[CheckedSentence],
    sources: Mapping[int, SourcePassages],
    language: str,
    title: str = "",
) -> list[CheckedSentence]:
    """Say anew what each sentence of a text does: nothing follows from one that is contradicted."""
    citing = [
        CitingSentence(
            place,
            one.text,
            tuple(one.verdicts),
            " ".join(verdict.span.quote for verdict in one.verdicts.values() if verdict.span),
        )
        for place, one in enumerate(found)
        if one.verdicts and not one.is_contradicted
    ]
    context = SectionContext(citing, sources, language, title)
    close = _find_close(text, found, {one.place for one in citing})
    return [
        _assign_kind(
            text,
            place,
            one,
            context,
            is_close=place in close,
            counted=_count_rows(text, found[place + 1 :]) if one.sentence.kind == "prose" else 0,
        )
        for place, one in enumerate(found)
    ]


def _count_rows(text: str, behind: Sequence[CheckedSentence]) -> int:
    """The rows of the table, or the items of the list, that begins with the first sentence."""
    kind = behind[0].sentence.kind if behind else "prose"
    rows = takewhile(lambda one: one.sentence.kind == kind, behind) if kind != "prose" else ()
    starts = {text.rfind("\n", 0, one.sentence.start) for one in rows}
    return len(starts) - (kind == "table")


def _find_close(text: str, found: Sequence[CheckedSentence], citing: Set[int]) -> set[int]:
    """The places of sentences that stand behind one of `citing` in one block.

    The paragraph below a table or a list belongs to it.
    """
    close: set[int] = set()
    for place, one in enumerate(found):
        before = found[place - 1].sentence if place else None
        if before is None or not ({place - 1} & (citing | close)):
            continue
        parted = "\n\n" in text[before.end : one.sentence.start]
        if not parted or before.kind in ("table", "item"):
            close.add(place)
    return close


def _assign_kind(
    text: str,
    place: int,
    one: CheckedSentence,
    context: SectionContext,
    *,
    is_close: bool,
    counted: int,
) -> CheckedSentence:
    if one.verdicts or UNSUPPORTED_FLAG in one.text or find_markers(one.text):
        return replace(one, kind="fact", near=())
    header = is_header_row(text, one.sentence)
    said = classify_sentence(
        context,
        place,
        one.text,
        one.sentence,
        is_header=header,
        is_close=is_close,
        counted=counted,
    )
    return replace(one, kind=said.kind, near=said.numbers)


def is_undecided(found: CitationVerdict) -> bool:
    """Whether words and numbers leave open what a source says: it may say it in other words."""
    if found.kind == "supported":
        return found.support < WORDS.supported
    return found.support >= WORDS.unsupported


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
