"""Marks of a section's Markdown, tied to their citations before the Markdown is read.

A mark belongs to a sentence, and sentences are known by their place in the source text, which HTML
has not. So each mark is replaced by a token that passes through Markdown and sanitiser as text and
tells, wherever it ends up, which mark it was. `⟦` and `⟧` are punctuation like the brackets that
they stand for, so that nothing around them reads differently.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from schema.report import Citation, VerdictKind

SIGN = "\ue000"
"""A sign for private use. In no text that is shown: what is given of it is dropped."""

_MARK = re.compile(r"\[(\d{1,9})\]")
TOKEN = re.compile(rf"⟦{SIGN}(?P<kind>[mcse])(?P<of>\d+)⟧")
"""A mark (m), a chart (c), or the start (s) and end (e) of a doubtful sentence."""

Doubt = Literal["contradicted", "absent"]
_DOUBTS: Sequence[Doubt] = ("contradicted", "absent")


@dataclass(frozen=True)
class Mark:
    """A mark in the text: the reference it names, and the citations of its sentence to that one.

    `place` counts the marks of a report, from 0.
    """

    place: int
    number: int
    citations: Sequence[Citation]


@dataclass(frozen=True)
class _Sentence:
    """A sentence that cites, at `text[start:end]`, with its citations by number."""

    start: int
    end: int
    citations: Mapping[int, Sequence[Citation]]

    @property
    def doubt(self) -> Doubt | None:
        """What its sources leave of it: one contradicts it, or none has it."""
        kinds: set[VerdictKind] = {
            one["verdict"] for found in self.citations.values() for one in found
        }
        if "contradicted" in kinds:
            return "contradicted"
        return "absent" if kinds == {"absent"} else None


def token(kind: str, of: int) -> str:
    """The token of a mark, a chart, or an end of a sentence."""
    return f"⟦{SIGN}{kind}{of}⟧"


def tokenised(
    text: str, citations: Sequence[Citation], numbers: Collection[int], first: int
) -> tuple[str, list[Mark]]:
    """Put tokens in the place of marks, and around sentences that do not stand.

    Args:
        text: Markdown of a section, or of a sentence of it.
        citations: of that section.
        numbers: of the references; other marks stay text.
        first: place of its first mark.
    """
    text = text.replace(SIGN, "")
    sentences = list(_sentences(text, citations))
    marks: list[Mark] = []
    changes: list[tuple[int, int, str]] = []  # (start, end, what comes in the place)
    for found in _MARK.finditer(text):
        number = int(found[1])
        if number in numbers:
            mark = Mark(first + len(marks), number, _cited(sentences, found.start(), number))
            changes.append((found.start(), found.end(), token("m", mark.place)))
            marks.append(mark)
    for sentence in sentences:
        if sentence.doubt:
            start, end = _within_markup(text, sentence)
            changes += [
                (start, start, token("s", _DOUBTS.index(sentence.doubt))),
                (end, end, token("e", 0)),
            ]
    pieces, position = [], 0
    for start, end, new in sorted(changes):  # at one place, "e" comes before "s"
        if start >= position:  # no end of a sentence lies within a mark
            pieces += [text[position:start], new]
            position = end
    return "".join([*pieces, text[position:]]), marks


def untokenised(text: str, marks: Mapping[int, Mark]) -> str:
    """The text as it was, where tokens have no meaning: in code and in addresses."""

    def before(found: re.Match[str]) -> str:
        mark = marks.get(int(found["of"])) if found["kind"] == "m" else None
        return f"[{mark.number}]" if mark else ""

    return TOKEN.sub(before, text)


def doubt_of(found: re.Match[str]) -> Doubt:
    """The doubt that the token of a sentence's start names."""
    return _DOUBTS[int(found["of"]) % len(_DOUBTS)]


def _sentences(text: str, citations: Sequence[Citation]) -> Iterator[_Sentence]:
    """Every place of every sentence that cites; one of them may stand within another."""
    by_sentence: dict[str, dict[int, list[Citation]]] = {}
    for one in citations:
        by_sentence.setdefault(one["sentence"], {}).setdefault(one["number"], []).append(one)
    for said, cited in by_sentence.items():
        start = text.find(said) if said else -1
        while start >= 0:
            yield _Sentence(start, start + len(said), cited)
            start = text.find(said, start + len(said))


def _cited(sentences: Sequence[_Sentence], at: int, number: int) -> Sequence[Citation]:
    """The citations of the longest sentence around a mark that cites its number."""
    around = [one for one in sentences if one.start <= at < one.end and number in one.citations]
    longest = max(around, key=lambda one: one.end - one.start, default=None)
    return longest.citations[number] if longest else ()


def _within_markup(text: str, sentence: _Sentence) -> tuple[int, int]:
    """The ends of a sentence where a token breaks neither a row of a table nor an image."""
    start, end = sentence.start, sentence.end
    if text[start] == "|" and text[end - 1] == "|" and end - start > 2:
        return start + 1, end - 1
    return (start - 1 if text[max(0, start - 1) : start + 1] == "![" else start), end
