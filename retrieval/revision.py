"""Edits of sentences, applied where they neither add nor lose a citation."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.citations import marks, normalise, without, without_marks
from retrieval.sentences import Sentence, sentences

LONGER = 1.5
"""Times that an edited sentence may be as long as it was, and `ROOM` characters on top."""

ROOM = 80

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Edit:
    """A new wording of a sentence, by its number from 1; "" removes it."""

    section: int
    sentence: int
    text: str


def editable(text: str, language: str) -> list[Sentence]:
    """The sentences that may be edited, in order: prose and list items."""
    return [one for one in sentences(text, language) if one.kind in ("prose", "item")]


def applied(
    texts: Sequence[str], edits: Sequence[Edit], language: str
) -> tuple[list[str], int, int]:
    """Apply edits to the texts of sections, whose marks are normalised.

    An edit is refused where the sentence would cite other sources, say a number that it did not
    say, grow beyond measure, or be no sentence any more; a removal, where a source that it cites
    would no longer be cited anywhere, or where it would leave its section empty. Of several edits
    of one sentence the first counts. Where those of a section would together make code of a mark,
    or a mark of code, the section stays as it was.

    Returns:
        The texts, how many edits were applied, and how many were refused.
    """
    held = [editable(text, language) for text in texts]
    cited = Counter(number for text in texts for number in marks(text))
    wanted: dict[tuple[int, int], str] = {}
    for edit in edits:
        wanted.setdefault((edit.section, edit.sentence), edit.text)
    left = {place: len(found) for place, found in enumerate(held)}
    taken: defaultdict[int, list[tuple[Sentence, str]]] = defaultdict(list)
    for (section, number), said in wanted.items():
        if not (0 <= section < len(texts) and 0 < number <= len(held[section])):
            continue
        sentence = held[section][number - 1]
        before = texts[section][sentence.start : sentence.end]
        after = normalise(" ".join(said.split()), set(marks(before)))[0]
        if after == before:
            continue
        if after:
            if not _same_claims(before, after, language):
                continue
        else:
            lost = Counter(marks(before))
            if said.strip() or left[section] == 1 or any(cited[n] <= lost[n] for n in lost):
                continue
            cited -= lost
            left[section] -= 1
        taken[section].append((sentence, after))
    made, count = list(texts), 0
    for section, changes in taken.items():
        after = replaced(texts[section], changes)
        if _same_structure(texts[section], after, changes, language):
            made[section] = after
            count += len(changes)
    return made, count, len(edits) - count


def replaced(text: str, changes: Sequence[tuple[Sentence, str]]) -> str:
    """A text with some of its sentences in other words; "" takes one out with its line.

    Of several wordings of one sentence the first counts.
    """
    once = dict(reversed(changes))
    for sentence, said in sorted(once.items(), key=lambda one: -one[0].start):
        if said:
            text = text[: sentence.start] + said + text[sentence.end :]
        else:
            text = without(text, sentence)
    return text.strip()


def _same_claims(before: str, after: str, language: str) -> bool:
    """Whether a wording is prose that cites the same, as often, and says no further number."""
    if Counter(marks(before)) != Counter(marks(after)):
        return False
    if len(after) > LONGER * len(before) + ROOM:
        return False
    if not any(character.isalpha() for character in without_marks(after)):
        return False
    if any(one.kind != "prose" for one in sentences(after, language)):
        return False
    return _numbers(after) <= _numbers(before)


def _same_structure(
    before: str, after: str, changes: Sequence[tuple[Sentence, str]], language: str
) -> bool:
    """Whether what was changed is all that changed: marks, code, tables and headings stand."""
    gone = Counter(
        number
        for sentence, said in changes
        if not said
        for number in marks(before[sentence.start : sentence.end])
    )
    whole = Counter(marks(before))
    return Counter(marks(after)) == whole - gone and _fixed(after, language) == _fixed(
        before, language
    )


def _fixed(text: str, language: str) -> list[str]:
    """What no edit may touch."""
    found = sentences(text, language)
    return [text[one.start : one.end] for one in found if one.kind not in ("prose", "item")]


def _numbers(text: str) -> set[str]:
    return set(_DIGITS.findall(without_marks(text)))
