"""Questions with sources of their own, and what a good report on them says and does not say."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MARKUP = re.compile(r"[*`]")
_LINE_MARKUP = re.compile(r"\||^\s{0,3}(?:#{1,6}|>)\s", re.MULTILINE)


@dataclass(frozen=True)
class Point:
    """Something that an expert wants to read in the answer.

    Attributes:
        says: the point in a sentence, for people and judges.
        must: a block of a report that makes the point matches each of these.
        topic: a sentence that speaks of the point's subject matches each; may be empty.
        documents: names of the sources that hold it, the one with the `quote` first.
    """

    says: str
    must: Sequence[re.Pattern[str]]
    topic: Sequence[re.Pattern[str]]
    documents: Sequence[str]
    quote: str


@dataclass(frozen=True)
class Gap:
    """Something that no source says; a sentence on its subject matches each of `topic`."""

    says: str
    topic: Sequence[re.Pattern[str]]


@dataclass(frozen=True)
class Trap:
    """A wrong statement that the sources invite.

    Attributes:
        says: what is wrong about it.
        never: a sentence that makes it matches each of these,
        unless: and none of these.
        document: the source that invites it, if one does in so many words,
        quote: with these.
    """

    says: str
    never: Sequence[re.Pattern[str]]
    unless: Sequence[re.Pattern[str]]
    document: str
    quote: str


@dataclass(frozen=True)
class Question:
    """A question with its rubric; `sources` is a folder."""

    name: str
    text: str
    language: str
    shape: str
    sources: Path
    points: Sequence[Point]
    gaps: Sequence[Gap]
    traps: Sequence[Trap]


def load_questions(folder: Path) -> list[Question]:
    """The questions below a folder, by name: each is a folder with a `question.toml`."""
    return [load_question(file) for file in sorted(folder.glob("*/question.toml"))]


def load_question(file: Path) -> Question:
    """Read one question.

    Raises:
        KeyError: something that each question has is not there.
    """
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    return Question(
        name=file.parent.name,
        text=read["question"],
        language=read["language"],
        shape=read["shape"],
        sources=file.parent / "sources",
        points=[_read_point(one) for one in read["points"]],
        gaps=[Gap(one["says"], compile_all(one["topic"])) for one in read["gaps"]],
        traps=[_read_trap(one) for one in read["traps"]],
    )


def compile_all(written: Sequence[str]) -> list[re.Pattern[str]]:
    """Patterns that ignore case, begin where a word may, and take any space for a space."""
    spaced = (one.replace(" ", r"\s") for one in written)
    return [re.compile(rf"(?<![^\W_])(?:{one})", re.IGNORECASE) for one in spaced]


def matches_all(patterns: Sequence[re.Pattern[str]], text: str) -> bool:
    """Whether a text matches each of some patterns; none match nothing."""
    return bool(patterns) and all(one.search(text) for one in patterns)


def flatten(text: str) -> str:
    """A text as it is compared: without emphasis, marks of tables and code, and line breaks."""
    return " ".join(_LINE_MARKUP.sub(" ", _MARKUP.sub("", text)).split())


def _read_point(one: dict[str, Any]) -> Point:
    return Point(
        says=one["says"],
        must=compile_all(one["must"]),
        topic=compile_all(one.get("topic", [])),
        documents=[one["document"], *one.get("also", [])],
        quote=one["quote"],
    )


def _read_trap(one: dict[str, Any]) -> Trap:
    return Trap(
        says=one["says"],
        never=compile_all(one["never"]),
        unless=compile_all(one.get("unless", [])),
        document=one.get("document", ""),
        quote=one.get("quote", ""),
    )
