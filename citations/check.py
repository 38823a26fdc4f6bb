"""Which sentences of a text are supported, by what was found of each of their citations."""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby, pairwise, takewhile

from citations.arithmetic import Group, comes_of
from citations.bands import WORDS
from citations.cited_parts import join_cells
from citations.claim_facts import SentenceFacts, drop_versions
from citations.code_leads import leads_to_code
from citations.conclusion_forms import gives_view, infers
from citations.conclusion_tails import find_parts_to_judge
from citations.evidence_span import SourcePassages
from citations.given_numbers import find_assumed, list_columns, list_totals
from citations.grounds import NO_GROUNDS, Grounds, list_worked_out, reckon_sums
from citations.markers import (
    MARKER,
    find_cited_sentences,
    find_markers,
    strip_markers,
)
from citations.section_context import CitingSentence, SectionContext, is_count, recalls
from citations.sentence_kinds import Position, classify_sentence, is_header_row, may_stand
from citations.source_facts import Reason, find_lacking_numbers
from citations.verdict import OTHERWISE, CitationVerdict, judge_claim
from schema.report import UNSUPPORTED_FLAG, SentenceKind, VerdictKind
from text.numbers import Quantity
from text.sentences import Sentence

MOST_BEFORE = 8
"""Sentences or rows before one whose numbers it may reckon with."""

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


def check_sentences(
    text: str,
    sources: Mapping[int, SourcePassages],
    language: str,
    subject: str = "",
    grounds: Grounds = NO_GROUNDS,
) -> list[CheckedSentence]:
    """Judge each citation of a text, and say what each sentence does.

    Args:
        text: whose markers are normalised.
        sources: what was read of each source, by number.
        language: of the text.
        subject: what it is about, as the question of the report and the title of the section say.
        grounds: that writers gave for sentences.
    """
    found: list[CheckedSentence] = []
    asked = SentenceFacts(subject, language)
    for sentence, numbers in find_cited_sentences(text, language):
        cited = text[sentence.start : sentence.end]
        read = {number: sources[number] for number in numbers if number in sources}
        given = _list_numbers_before(text, found, sentence, language)
        said = drop_versions(cited, subject)
        one = _check_sentence(
            sentence,
            said,
            read,
            given,
            totals=_list_totals_before(found, language),
            asked=asked,
        )
        if one.lacking_numbers and sentence.kind != "table":
            one = _back_conclusion(one, cited, found, language)
        if grounds.back(cited, language):
            one = _trust_sums(one, found, asked, sources, grounds.sums)
        if cited in grounds.quoted or cited in grounds.told:
            one = _trust_words(one, told=cited in grounds.told)
        elif cited in grounds.given and any(
            leads_to_code(text, sentence.end, source) for source in read.values()
        ):
            one = _trust_words(one, told=False)
        found.append(replace(one, text=cited))
    return assign_kinds(
        text, _back_lead_ins(text, found, language), sources, language, subject, grounds
    )


def _back_conclusion(
    one: CheckedSentence, cited: str, before: Sequence[CheckedSentence], language: str
) -> CheckedSentence:
    """A sentence without the missing numbers of its conclusion that cited ones before it have."""
    tail = SentenceFacts(strip_markers(MARKER.split(cited)[-1]), language)
    known = [q for other in before if other.verdicts for q in _list_backed_numbers(other, language)]
    told = {
        tail.text[q.start : q.end]
        for q in tail.quantities
        if any(q.value == k.value and (q.unit == k.unit or "" in (q.unit, k.unit)) for k in known)
    }
    lacking = tuple(reason for reason in one.lacking_numbers if reason[1] not in told)
    return replace(one, lacking_numbers=lacking)


def _trust_words(one: CheckedSentence, *, told: bool) -> CheckedSentence:
    """A sentence whose sources are taken to say it in other words; one that is `told`, in all."""
    verdicts = {
        number: replace(verdict, kind="partial") if verdict.kind == "absent" else verdict
        for number, verdict in one.verdicts.items()
    }
    return replace(one, verdicts=verdicts, lacking_numbers=() if told else one.lacking_numbers)


def _trust_sums(
    one: CheckedSentence,
    before: Sequence[CheckedSentence],
    asked: SentenceFacts,
    sources: Mapping[int, SourcePassages],
    sums: Sequence[str],
) -> CheckedSentence:
    """A sentence without those missing numbers that the section or the question has or comes to.

    What a sum comes to that its writer gives may be worked out from all that was read as well.
    """
    said = SentenceFacts(one.claim, asked.language)
    known = [q for other in before for q in _list_backed_numbers(other, asked.language)]
    held = {q.value for q in (*known, *asked.quantities) if not q.is_year}
    values = held.union(q.value for q in said.quantities if not q.is_year)
    worked_out = {
        said.text[q.start : q.end]
        for q in said.quantities
        if q.value in held or comes_of(q.value, values - {q.value})
    }
    missing = {words for _, words in one.lacking_numbers}
    own = {q.value for q in said.quantities if said.text[q.start : q.end] not in missing}
    own |= {q.value for q in find_assumed(said, asked)}
    read = {value for source in sources.values() for value in source.facts.values} if sums else {}
    summed = list_worked_out(said, reckon_sums(sums, {*held, *own, *read}, asked.language))
    left = tuple(r for r in one.lacking_numbers if r[1] not in worked_out | summed)
    made = replace(one, lacking_numbers=left)
    return made if left or not summed & missing else _trust_words(made, told=False)


def _list_numbers_before(
    text: str, found: Sequence[CheckedSentence], sentence: Sentence, language: str
) -> list[Group]:
    """The numbers of the cited sentences, or rows, that a sentence may reckon with: the last few.

    A table, and what stands right below it, belong together. The columns of a table are reckoned
    with in all that follows it.
    """
    groups: list[Group] = []
    end = sentence.start
    if sentence.kind != "table":
        groups += _list_columns_before(found, language)
    for one in reversed(found[-MOST_BEFORE:]):
        parted = "\n\n" in text[one.sentence.end : end]
        if parted and one.sentence.kind == "prose" and not _leads_in(one):
            break
        if one.verdicts:
            groups.insert(0, _list_backed_numbers(one, language))
        end = one.sentence.start
    return groups


def _list_totals_before(found: Sequence[CheckedSentence], language: str) -> set[Decimal]:
    """What the columns of the table or list at the end of `found` add up to."""
    rows = [one for one in _take_rows(found[::-1]) if one.verdicts and not one.lacking_numbers]
    return list_totals([(one.sentence.kind, one.claim) for one in reversed(rows)], language)


def _list_columns_before(found: Sequence[CheckedSentence], language: str) -> list[Group]:
    """The columns of the tables of a section, of the rows whose numbers are borne out."""
    columns: list[Group] = []
    for kind, run in groupby(found, lambda one: one.sentence.kind):
        if kind == "table":
            rows = tuple(one.claim for one in run if one.verdicts and not one.lacking_numbers)
            columns += list_columns(rows, language)
    return columns


def _leads_in(one: CheckedSentence) -> bool:
    return one.text.rstrip(" *_\n").endswith((":", "："))


def _list_backed_numbers(found: CheckedSentence, language: str) -> list[Quantity]:
    claim = SentenceFacts(found.claim, language)
    lacking = {words for _, words in found.lacking_numbers}
    return [q for q in claim.quantities if claim.text[q.start : q.end] not in lacking]


def _back_lead_ins(
    text: str, found: Sequence[CheckedSentence], language: str
) -> list[CheckedSentence]:
    """Take from a lead-in those missing numbers that its list or table bears out.

    These are numbers that it has, and sources bear out, and how many rows or items it has.
    """
    told = list(found)
    for place, one in enumerate(found):
        behind = found[place + 1 :]
        if one.lacking_numbers and one.sentence.kind == "prose" and _take_rows(behind):
            said = SentenceFacts(one.claim, language)
            rows = _take_rows(behind) if _leads_in(one) else []
            given = {(q.value, q.unit) for row in rows for q in _list_backed_numbers(row, language)}
            counted = _count_rows(text, behind)
            words = {
                said.text[q.start : q.end]
                for q in said.quantities
                if (q.value, q.unit) in given or (q.value == counted and is_count(q, said.text))
            }
            lacking = tuple(reason for reason in one.lacking_numbers if reason[1] not in words)
            told[place] = replace(one, lacking_numbers=lacking)
    return told


def _check_sentence(
    sentence: Sentence,
    cited: str,
    read: Mapping[int, SourcePassages],
    given: Sequence[Group],
    *,
    totals: Set[Decimal],
    asked: SentenceFacts,
) -> CheckedSentence:
    """A citation is judged by all of its sentence, else by the part that it stands behind."""
    language = asked.language
    claim = extract_claim(join_cells(cited) if sentence.kind == "table" else cited)
    whole = {number: judge_claim(claim, source) for number, source in read.items()}
    missing = [[r for r in one.reasons if r[0] in NUMBER_REASONS] for one in whole.values()]
    lacking = [r for r in missing[0] if all(r in other for other in missing)] if missing else []
    if lacking:
        facts = [source.facts for source in read.values()]
        spans = [
            SentenceFacts(one.span.quote, language).quantities for one in whole.values() if one.span
        ]
        said = SentenceFacts(claim, language)
        joint = find_lacking_numbers(
            facts, said, [*given, *spans], totals=totals, assumed=find_assumed(said, asked)
        )
        counted = {  # "all three" counts what the text names
            said.text[q.start : q.end]
            for q in said.quantities
            if is_count(q, said.text) and recalls(q, said.text)
        }
        lacking = [one for one in lacking if one in joint and one[1] not in counted]
    verdicts = dict(whole)
    unsure = [number for number, one in whole.items() if one.kind != "supported"]
    parts = {} if lacking or not unsure else find_parts_to_judge(cited, sentence.kind, read)
    for number, part in parts.items():
        if number in unsure:
            found = judge_claim(extract_claim(part), read[number])
            if found.kind == "supported":
                verdicts[number] = found
    return CheckedSentence(sentence, cited, verdicts, lacking_numbers=tuple(lacking))


def assign_kinds(
    text: str,
    found: Sequence[CheckedSentence],
    sources: Mapping[int, SourcePassages],
    language: str,
    subject: str = "",
    grounds: Grounds = NO_GROUNDS,
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
    context = SectionContext(citing, sources, language, subject)
    apart = {
        place: SectionContext([c for c in citing if c.place != place], sources, language, subject)
        for place, one in enumerate(found)
        if _may_follow(one, language)
    }
    positions = _find_positions(text, found, {one.place for one in citing})
    return [
        _assign_kind(
            text,
            place,
            one,
            apart.get(place, context),
            positions=positions[place],
            counted=_count_rows(text, found[place + 1 :]) if one.sentence.kind == "prose" else 0,
            grounds=grounds if grounds.back(one.text, language) else None,
        )
        for place, one in enumerate(found)
    ]


def _may_follow(one: CheckedSentence, language: str) -> bool:
    """Whether a citation without support may stand behind a conclusion."""
    if not one.verdicts or one.is_supported or one.lacking_numbers or one.is_contradicted:
        return False
    if UNSUPPORTED_FLAG in one.text:
        return False
    opposed = any(code in OTHERWISE for v in one.verdicts.values() for code, _ in v.reasons)
    return not opposed and (infers(one.claim, language) or gives_view(one.claim, language))


def _count_rows(text: str, behind: Sequence[CheckedSentence]) -> int:
    """The rows of the table, or the items of the list, that begins with the first sentence."""
    rows = _take_rows(behind)
    starts = {text.rfind("\n", 0, one.sentence.start) for one in rows}
    return len(starts) - (bool(rows) and rows[0].sentence.kind == "table")


def _take_rows(behind: Sequence[CheckedSentence]) -> list[CheckedSentence]:
    kind = behind[0].sentence.kind if behind else "prose"
    return [*takewhile(lambda one: one.sentence.kind == kind != "prose", behind)]


def _find_positions(
    text: str, found: Sequence[CheckedSentence], citing: Set[int]
) -> list[set[Position]]:
    """Which sentences stand behind some of `citing` in one block, or first, ahead of them.

    The paragraph below a table or a list belongs to it, and so does the one above.
    """
    positions: list[set[Position]] = []
    for place, one in enumerate(found):
        before = found[place - 1] if place else None
        parted = before is None or _are_parted(text, before, one)
        follows = place - 1 in citing or (place > 0 and "behind" in positions[place - 1])
        here: set[Position] = set()
        if before and follows and (not parted or before.sentence.kind in ("table", "item")):
            here.add("behind")
        if parted and _leads_to_cited(text, found[place:], {n - place for n in citing}):
            here.add("ahead")
        positions.append(here)
    return positions


def _leads_to_cited(text: str, found: Sequence[CheckedSentence], citing: Set[int]) -> bool:
    """Whether the block that the first sentence opens, or the table or list behind it, cites."""
    for place, (before, one) in enumerate(pairwise(found), start=1):
        if one.sentence.kind == "prose" and _are_parted(text, before, one):
            return False
        if place in citing:
            return True
    return False


def _are_parted(text: str, one: CheckedSentence, other: CheckedSentence) -> bool:
    return "\n\n" in text[one.sentence.end : other.sentence.start]


def _assign_kind(
    text: str,
    place: int,
    one: CheckedSentence,
    context: SectionContext,
    *,
    positions: Collection[Position],
    counted: int,
    grounds: Grounds | None,
) -> CheckedSentence:
    if one.verdicts and _may_follow(one, context.language):
        said = classify_sentence(context, place, one.claim, one.sentence, positions=positions)
        return replace(one, kind=said.kind if said.kind == "synthesis" else "fact")
    if one.verdicts or UNSUPPORTED_FLAG in one.text or find_markers(one.text):
        return replace(one, kind="fact", near=())
    header = is_header_row(text, one.sentence)
    said = classify_sentence(
        context,
        place,
        one.text,
        one.sentence,
        positions=positions,
        is_header=header,
        counted=counted,
    )
    follows = said.kind == "fact" and grounds and may_stand(context, one.text, grounds.sums)
    return replace(one, kind="synthesis" if follows else said.kind, near=said.numbers)


def is_undecided(found: CitationVerdict) -> bool:
    """Whether words and numbers leave open what a source says: it may say it in other words."""
    if found.kind == "supported":
        return found.support < WORDS.supported
    return found.support >= WORDS.unsupported
