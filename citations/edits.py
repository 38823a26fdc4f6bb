"""Edits of sentences, applied where they neither add nor lose a citation."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from citations.claim_facts import SentenceFacts
from citations.conclusion_forms import list_named_before
from citations.content_terms import find_content_terms, has_kin
from citations.markers import (
    find_cited_sentences,
    find_markers,
    locate_markers,
    normalise_markers,
    remove_sentence,
    strip_markers,
)
from citations.source_facts import SourceFacts
from text.sentences import Sentence, split_sentences
from text.tokens import content_weight, tokenise

MAX_GROWTH, MAX_FREE_GROWTH = 1.5, 3.0
"""Times that an edited sentence may be as long as it was, and `EXTRA_CHARACTERS` characters on
top; the second of one that cites nothing, which may be written anew."""

EXTRA_CHARACTERS = 80

MIN_KNOWN_SHARE = 0.6
"""Share of the words of content of a conclusion that the sections have, which a fact turns into."""

WHOLE_ROWS, SHOWN_ROWS, BLOCK_CHARACTERS = 14, 10, 2_000
"""Lines of a table or of code up to which an editor is shown all of it, else how many; and the most
characters of them."""

_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Edit:
    """A new wording of a sentence, by its number from 1; "" removes it."""

    section: int
    sentence: int
    text: str


def find_editable_sentences(text: str, language: str) -> list[Sentence]:
    """The sentences that may be edited, in order: prose and list items."""
    return [one for one in split_sentences(text, language) if one.kind in ("prose", "item")]


def find_repairable_sentences(text: str, language: str) -> list[Sentence]:
    """The sentences that may go back to their writer, in order: these, and rows of tables."""
    return [
        one for one in split_sentences(text, language) if one.kind in ("prose", "item", "table")
    ]


def split_editable_sentences(text: str, language: str) -> list[str]:
    """The texts of these sentences."""
    return [text[one.start : one.end] for one in find_editable_sentences(text, language)]


def list_parts(text: str, language: str) -> list[tuple[str, bool]]:
    """What a section is made of, in order: its editable sentences, and its tables and code.

    Returns:
        Each text, and whether it may be edited. Tables and code are shortened where they are long.
    """
    parts: list[tuple[str, bool]] = []
    block: list[Sentence] = []
    for one in [*split_sentences(text, language), None]:
        apart = one is None or one.kind not in ("table", "code") or _parts_blocks(text, block, one)
        if block and apart:
            parts.append((_shorten_block([text[row.start : row.end] for row in block]), False))
            block = []
        if one is None or one.kind == "heading":
            continue
        if one.kind in ("table", "code"):
            block.append(one)
        else:
            parts.append((text[one.start : one.end], True))
    return parts


def _parts_blocks(text: str, block: Sequence[Sentence], one: Sentence) -> bool:
    """Whether a row or a line of code begins a block of its own."""
    last = block[-1] if block else one
    between = "```" if one.kind == "code" else "\n\n"
    return last.kind != one.kind or between in text[last.end : one.start]


def _shorten_block(rows: Sequence[str]) -> str:
    """The rows of a table or of code on lines of their own: the first ones where they are many."""
    lines = [line for row in rows for line in row.splitlines()]
    shown = lines if len(lines) <= WHOLE_ROWS else lines[:SHOWN_ROWS]
    text = "\n".join(shown)[:BLOCK_CHARACTERS]
    left = len(lines) - len(shown)
    return f"{text}\n(… {left} more lines)" if left else text


def apply_edits(
    texts: Sequence[str], edits: Sequence[Edit], language: str
) -> tuple[list[str], int, int]:
    """Apply edits to the texts of sections, whose markers are normalised.

    A sentence may be shortened or leave out what it cites if that is cited elsewhere, and one whose
    sources are cited elsewhere may turn into what follows, without a figure. Any other edit is
    refused where the sentence would cite other sources, say a number that no sentence has which
    cites one of the same or a name that no section has, grow beyond measure, or be no sentence any
    more. One that cites nothing may say all numbers of the sections. A removal is
    refused where a source that it cites would no longer be cited anywhere, where it would leave its
    section empty, or the next sentence, which no edit changes, pointing at nothing ("that stop");
    one beside a sentence that takes up its markers is a merger of both, done
    whole or not at all. Of several edits of one sentence the first counts. Where those of a section
    would together make code of a marker, or a marker of code, the section stays as it was.

    Returns:
        The texts, how many edits were applied, and how many were refused.
    """
    held = [find_editable_sentences(text, language) for text in texts]
    said = SourceFacts([SentenceFacts("\n".join(texts), language)], language)
    terms = find_content_terms("\n".join(texts), language)
    cited = Counter(number for text in texts for number in find_markers(text))
    figures = _list_figures(texts, language)
    wanted: dict[tuple[int, int], str] = {}
    for edit in edits:
        if 0 <= edit.section < len(texts) and 0 < edit.sentence <= len(held[edit.section]):
            wanted.setdefault((edit.section, edit.sentence), " ".join(edit.text.split()))
    merged = _find_mergers(texts, held, wanted)
    left = {section: len(found) for section, found in enumerate(held)}
    taken: defaultdict[int, list[tuple[Sentence, str]]] = defaultdict(list)
    for (section, number), wording in wanted.items():
        if number in (merged.get((section, n)) for n in (number - 1, number + 1)):
            continue
        partner = merged.get((section, number))
        sentences = [held[section][n - 1] for n in sorted(filter(None, (number, partner)))]
        before = " ".join(texts[section][one.start : one.end] for one in sentences)
        after = normalise_markers(wording, set(find_markers(before)))[0]
        if after == before:
            continue
        if after:
            known = _find_numbers(before).union(
                *(own for numbers, own in figures if _may_say(find_markers(before), numbers))
            )
            if not _is_prose(after, language):
                continue
            if not _shortens(before, after, cited) and (
                said.find_missing_names(SentenceFacts(strip_markers(after), language))
                or not (
                    (after == wording and _concludes(before, after, cited, terms, language))
                    or _leaves_out(before, after, cited, language)
                    or _has_same_claims(before, after, known, language, merges=bool(partner))
                )
            ):
                continue
            cited -= Counter(find_markers(before)) - Counter(find_markers(after))
        else:
            freed = Counter(find_markers(before))
            pair = held[section][number - 1 : number + 1]
            points = (section, number + 1) not in wanted and _is_pointed_at(
                texts[section], pair, language
            )
            is_last = left[section] == 1 or any(cited[n] <= freed[n] for n in freed)
            if wording or is_last or points:
                continue
            cited -= freed
            left[section] -= 1
        taken[section] += zip(sentences, [after, *[""] * (len(sentences) - 1)], strict=True)
    made, count = list(texts), 0
    for section, changes in taken.items():
        after = replace_sentences(texts[section], changes)
        if _has_same_structure(texts[section], after, changes, language):
            made[section] = after
            count += len(changes)
    return made, count, len(edits) - count


def _is_pointed_at(text: str, pair: Sequence[Sentence], language: str) -> bool:
    """Whether the second of two sentences of a paragraph stands on a word that the first alone has.

    Those before it in the paragraph may have named it as well.
    """
    if len(pair) < 2 or "\n" in text[pair[0].end : pair[1].start]:
        return False
    said = [find_content_terms(text[one.start : one.end], language) for one in pair]
    opens = text.rfind("\n\n", 0, pair[0].start)
    before = find_content_terms(text[max(0, opens) : pair[0].start], language)
    pointing = text[pair[1].start : pair[1].end]
    named = find_content_terms(" ".join(list_named_before(pointing, language)), language)
    return any(has_kin(term, said[0]) and not has_kin(term, before) for term in named)


def _find_mergers(
    texts: Sequence[str],
    held: Sequence[Sequence[Sentence]],
    wanted: Mapping[tuple[int, int], str],
) -> dict[tuple[int, int], int]:
    """By sentence the neighbour that is to go into it: it is taken out, its markers kept.

    One without markers goes into a sentence that takes up a number of it.
    """
    mergers: dict[tuple[int, int], int] = {}
    for (section, number), wording in wanted.items():
        text, found = texts[section], held[section]
        own = found[number - 1]
        for partner in (number + 1, number - 1) if wording else ():
            taken = partner in (mergers.get((section, n)) for n in (partner - 1, partner + 1))
            if wanted.get((section, partner)) != "" or taken:
                continue
            other = found[partner - 1]
            first, second = sorted((own, other), key=lambda one: one.start)
            numbers = set(find_markers(text[own.start : own.end]))
            others = set(find_markers(text[other.start : other.end]))
            kept = set(find_markers(normalise_markers(wording, numbers | others)[0]))
            takes = bool(others) or _takes_numbers(
                text[own.start : own.end], text[other.start : other.end], wording
            )
            if takes and others <= kept and "\n" not in text[first.end : second.start]:
                mergers[section, number] = partner
                break
    return mergers


def _takes_numbers(own: str, other: str, wording: str) -> bool:
    return bool((_find_numbers(wording) - _find_numbers(own)) & _find_numbers(other))


def replace_sentences(text: str, changes: Sequence[tuple[Sentence, str]]) -> str:
    """A text with some of its sentences in other words; "" takes one out with its line.

    Of several wordings of one sentence the first counts.
    """
    once = dict(reversed(changes))
    for sentence, wording in sorted(once.items(), key=lambda one: -one[0].start):
        if wording:
            text = text[: sentence.start] + wording + text[sentence.end :]
        else:
            text = remove_sentence(text, sentence)
    return text.strip()


def _list_figures(texts: Sequence[str], language: str) -> list[tuple[list[int], set[str]]]:
    """What each sentence and row cites, and its numbers."""
    return [
        (numbers, _find_numbers(text[one.start : one.end]))
        for text in texts
        for one, numbers in find_cited_sentences(text, language)
    ]


def _may_say(cited: Sequence[int], numbers: Sequence[int]) -> bool:
    return not cited or not set(cited).isdisjoint(numbers)


def _has_same_claims(
    before: str, after: str, known: Set[str], language: str, *, merges: bool
) -> bool:
    """Whether a wording cites the same, as often, and says no unknown number.

    One that merges two sentences may cite once what both cite, and each part of one that is split
    what the whole cited.
    """
    cited, cites = Counter(find_markers(before)), Counter(find_markers(after))
    if cited.keys() != cites.keys():
        return False
    parts = [after[one.start : one.end] for one in split_sentences(after, language)]
    splits = len(parts) > 1 and all(Counter(find_markers(one)) <= cited for one in parts)
    if cites != cited and not (merges if cites <= cited else splits):
        return False
    if len(after) > (MAX_GROWTH if cited else MAX_FREE_GROWTH) * len(before) + EXTRA_CHARACTERS:
        return False
    return _find_numbers(after) <= known


def _is_prose(text: str, language: str) -> bool:
    has_words = any(character.isalpha() for character in strip_markers(text))
    return has_words and all(one.kind == "prose" for one in split_sentences(text, language))


def _shortens(before: str, after: str, cited: Mapping[int, int]) -> bool:
    """Whether a wording leaves words out of a sentence, and citations of what is `cited` again."""
    words = iter(_WORD.findall(before.casefold()))
    if not all(word in words for word in _WORD.findall(after.casefold())):
        return False
    lost = Counter(find_markers(before)) - Counter(find_markers(after))
    return all(cited[number] > count for number, count in lost.items())


def _leaves_out(before: str, after: str, cited: Mapping[int, int], language: str) -> bool:
    """Whether a wording says again what keeps its citations, and leaves out what is `cited` again.

    Its words of content are the sentence's, and these figures, and most of these words, stand
    before a marker that it keeps.
    """
    kept = set(find_markers(after))
    lost = Counter(find_markers(before)) - Counter(find_markers(after))
    if not kept or not lost or not all(cited[number] > count for number, count in lost.items()):
        return False
    ends = [0, *(one.end for one in locate_markers(before))]
    parts = [before[start:end] for start, end in pairwise(ends)]
    told = " ".join(one for one in parts if not kept.isdisjoint(find_markers(one)))
    new = {*tokenise(after, language)}.difference(tokenise(before, language))
    if any(content_weight(term, language) == 1 for term in new):
        return False
    known, terms = find_content_terms(told, language), find_content_terms(after, language)
    share = sum(has_kin(term, known) for term in terms)
    return _find_numbers(after) <= _find_numbers(told) and share >= MIN_KNOWN_SHARE * len(terms)


def _concludes(
    before: str, after: str, cited: Mapping[int, int], known: frozenset[str], language: str
) -> bool:
    """Whether a wording keeps what follows from facts that are `cited` again, in `known` words."""
    lost = Counter(find_markers(before))
    if not lost or find_markers(after) or _find_numbers(after):
        return False
    terms = find_content_terms(after, language)
    told = sum(has_kin(term, known) for term in terms)
    is_told = told >= MIN_KNOWN_SHARE * len(terms)
    return is_told and all(cited[number] > count for number, count in lost.items())


def _has_same_structure(
    before: str, after: str, changes: Sequence[tuple[Sentence, str]], language: str
) -> bool:
    """Whether what was changed is all that changed: markers, code, tables and headings stand."""
    whole = Counter(find_markers(before))
    for sentence, wording in dict(reversed(changes)).items():
        whole.subtract(find_markers(before[sentence.start : sentence.end]))
        whole.update(find_markers(wording))
    fixed = _find_fixed_text(before, language)
    return Counter(find_markers(after)) == +whole and _find_fixed_text(after, language) == fixed


def _find_fixed_text(text: str, language: str) -> list[str]:
    """What no edit may touch."""
    found = split_sentences(text, language)
    return [text[one.start : one.end] for one in found if one.kind not in ("prose", "item")]


def _find_numbers(text: str) -> set[str]:
    return set(_DIGITS.findall(strip_markers(text)))
