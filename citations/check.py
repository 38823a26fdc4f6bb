"""Which sentences of a text are supported, by what was found of each of their citations."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from itertools import groupby

from citations.arithmetic import Group, comes_of
from citations.assigned_kinds import assign_kinds
from citations.checked_sentence import (
    NUMBER_REASONS,
    CheckedSentence,
    count_rows,
    extract_claim,
    take_rows,
)
from citations.cited_parts import join_cells
from citations.claim_facts import SentenceFacts, drop_versions
from citations.code_leads import comes_from, find_code_below
from citations.conclusion_tails import find_parts_to_judge
from citations.evidence_span import SourcePassages
from citations.given_numbers import find_assumed, list_columns, list_totals
from citations.grounds import NO_GROUNDS, Grounds, list_worked_out, reckon_sums
from citations.markers import (
    MARKER,
    find_cited_sentences,
    strip_markers,
)
from citations.section_context import find_place_numbers, is_count, recalls
from citations.source_facts import find_lacking_numbers
from citations.verdict import judge_claim
from text.numbers import Quantity
from text.sentences import Sentence

MOST_BEFORE = 8
"""Sentences or rows before one whose numbers it may reckon with."""


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
        elif code := find_code_below(text, sentence.end):
            one = _back_code_lead(one, code, read, language, is_kept=cited in grounds.given)
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


def _back_code_lead(
    one: CheckedSentence,
    code: str,
    read: Mapping[int, SourcePassages],
    language: str,
    *,
    is_kept: bool,
) -> CheckedSentence:
    """A sentence without the missing numbers that the code below it has, which it speaks of.

    Where a source that it cites has that code, the source need not have the words, too.
    """
    shown = {q.value for q in SentenceFacts(code, language).quantities}
    said = SentenceFacts(one.claim, language)
    told = {said.text[q.start : q.end] for q in said.quantities if q.value in shown}
    one = replace(one, lacking_numbers=tuple(r for r in one.lacking_numbers if r[1] not in told))
    reasons = {kind for verdict in one.verdicts.values() for kind, _ in verdict.reasons}
    is_sure = is_kept or reasons <= {"words", "acronym", *NUMBER_REASONS}
    if is_sure and any(comes_from(code, source) for source in read.values()):
        return _trust_words(one, told=False)
    return one


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
    rows = [one for one in take_rows(found[::-1]) if one.verdicts and not one.lacking_numbers]
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
        if one.lacking_numbers and one.sentence.kind == "prose" and take_rows(behind):
            said = SentenceFacts(one.claim, language)
            rows = take_rows(behind) if _leads_in(one) else []
            given = {(q.value, q.unit) for row in rows for q in _list_backed_numbers(row, language)}
            counted = count_rows(text, behind)
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
        counted = find_place_numbers(said.text).union(
            said.text[q.start : q.end]
            for q in said.quantities  # "all three" counts what the text names
            if is_count(q, said.text) and recalls(q, said.text)
        )
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
