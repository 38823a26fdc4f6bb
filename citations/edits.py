"""Edits of sentences, applied where they neither add nor lose a citation."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from citations.claim_facts import SentenceFacts
from citations.markers import find_markers, normalise_markers, remove_sentence, strip_markers
from citations.source_facts import SourceFacts
from text.sentences import Sentence, split_sentences

MAX_GROWTH, MAX_FREE_GROWTH = 1.5, 3.0
"""Times that an edited sentence may be as long as it was, and `EXTRA_CHARACTERS` characters on
top; the second of one that cites nothing, which may be written anew."""

EXTRA_CHARACTERS = 80

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


def split_editable_sentences(text: str, language: str) -> list[str]:
    """The texts of these sentences."""
    return [text[one.start : one.end] for one in find_editable_sentences(text, language)]


def apply_edits(
    texts: Sequence[str], edits: Sequence[Edit], language: str
) -> tuple[list[str], int, int]:
    """Apply edits to the texts of sections, whose markers are normalised.

    An edit is refused where the sentence would cite other sources, say a number that it did not
    say or a name that no section has, grow beyond measure, or be no sentence any more. One that
    cites nothing may say the numbers of its section. A removal is refused where a source that it
    cites would no longer be cited anywhere, or where it would leave its section empty. Of several
    edits of one sentence the first counts. Where those of a section would together make code of a
    marker, or a marker of code, the section stays as it was.

    Returns:
        The texts, how many edits were applied, and how many were refused.
    """
    held = [find_editable_sentences(text, language) for text in texts]
    said = SourceFacts([SentenceFacts("\n".join(texts), language)], language)
    cited = Counter(number for text in texts for number in find_markers(text))
    wanted: dict[tuple[int, int], str] = {}
    for edit in edits:
        wanted.setdefault((edit.section, edit.sentence), edit.text)
    left = {section: len(found) for section, found in enumerate(held)}
    taken: defaultdict[int, list[tuple[Sentence, str]]] = defaultdict(list)
    for (section, number), wording in wanted.items():
        if not (0 <= section < len(texts) and 0 < number <= len(held[section])):
            continue
        sentence = held[section][number - 1]
        before = texts[section][sentence.start : sentence.end]
        after = normalise_markers(" ".join(wording.split()), set(find_markers(before)))[0]
        if after == before:
            continue
        if after:
            if not _has_same_claims(before, after, texts[section], language):
                continue
            if said.find_missing_names(SentenceFacts(strip_markers(after), language)):
                continue
        else:
            freed = Counter(find_markers(before))
            if wording.strip() or left[section] == 1 or any(cited[n] <= freed[n] for n in freed):
                continue
            cited -= freed
            left[section] -= 1
        taken[section].append((sentence, after))
    made, count = list(texts), 0
    for section, changes in taken.items():
        after = replace_sentences(texts[section], changes)
        if _has_same_structure(texts[section], after, changes, language):
            made[section] = after
            count += len(changes)
    return made, count, len(edits) - count


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


def _has_same_claims(before: str, after: str, section: str, language: str) -> bool:
    """Whether a wording is prose that cites the same, as often, and says no further number."""
    cited = Counter(find_markers(before))
    if cited != Counter(find_markers(after)):
        return False
    if len(after) > (MAX_GROWTH if cited else MAX_FREE_GROWTH) * len(before) + EXTRA_CHARACTERS:
        return False
    if not any(character.isalpha() for character in strip_markers(after)):
        return False
    if any(one.kind != "prose" for one in split_sentences(after, language)):
        return False
    return _find_numbers(after) <= _find_numbers(before if cited else section)


def _has_same_structure(
    before: str, after: str, changes: Sequence[tuple[Sentence, str]], language: str
) -> bool:
    """Whether what was changed is all that changed: markers, code, tables and headings stand."""
    gone = Counter(
        number
        for sentence, wording in changes
        if not wording
        for number in find_markers(before[sentence.start : sentence.end])
    )
    whole = Counter(find_markers(before))
    return Counter(find_markers(after)) == whole - gone and _find_fixed_text(
        after, language
    ) == _find_fixed_text(before, language)


def _find_fixed_text(text: str, language: str) -> list[str]:
    """What no edit may touch."""
    found = split_sentences(text, language)
    return [text[one.start : one.end] for one in found if one.kind not in ("prose", "item")]


def _find_numbers(text: str) -> set[str]:
    return set(_DIGITS.findall(strip_markers(text)))
