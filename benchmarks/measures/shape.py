"""What a report repeats, how its sections are balanced, and how they compare with a reference."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.jsonl import rows
from benchmarks.measures.citing import paragraphs
from benchmarks.measures.reading import Paper
from citations.markers import strip_markers
from text.sentences import split_sentences
from text.tokens import tokenise

NEAR = 0.3
"""Share of a paragraph's 5-grams from which on it says what another one says."""

GRAM = 5
"""Terms of a gram."""

LETTERS = (2, 5)
"""Letters of the shortest and of the longest piece by which headings are compared."""

_APPARATUS = frozenset(
    ("bibliography", "citations", "external links", "further reading", "gallery", "notes",
     "references", "see also", "sources")
)  # fmt: skip
"""Headings of an encyclopedia that say nothing of its subject."""


@dataclass(frozen=True)
class Redundancy:
    """What is said more than once.

    Attributes:
        paragraphs: of at least `GRAM` terms.
        near: those of them that say what a paragraph of another section says, as a share.
        largest: the largest share of a paragraph's 5-grams that one of another section holds.
        repeated: sentences that stand, word for word, a second time.
    """

    paragraphs: int
    near: float
    largest: float
    repeated: int


@dataclass(frozen=True)
class Article:
    """A reference: the headings of its body, and the names that it speaks of."""

    title: str
    headings: Sequence[str]
    entities: Sequence[str]


def redundancy(paper: Paper) -> Redundancy:
    """Compare every paragraph with those of other sections; linear in shared 5-grams."""
    held: list[tuple[int, frozenset[tuple[str, ...]]]] = []
    for place, section in enumerate(paper.body):
        for block in paragraphs(section.text):
            found = tokenise(strip_markers(_said(block, paper.language)), paper.language)
            if grams := frozenset(zip(*(found[i:] for i in range(GRAM)), strict=False)):
                held.append((place, grams))
    places = defaultdict(list)
    for number, (_, grams) in enumerate(held):
        for gram in grams:
            places[gram].append(number)
    shares = []
    for section_of, grams in held:
        common = Counter(
            other for gram in grams for other in places[gram] if held[other][0] != section_of
        )
        shares.append(max(common.values(), default=0) / len(grams))
    return Redundancy(
        paragraphs=len(held),
        near=sum(one > NEAR for one in shares) / max(1, len(shares)),
        largest=max(shares, default=0.0),
        repeated=_repeated(paper),
    )


def _said(block: str, language: str) -> str:
    """A paragraph without the heading that may stand right above it."""
    found = split_sentences(block, language)
    return " ".join(block[one.start : one.end] for one in found if one.kind != "heading")


def gini(lengths: Sequence[float]) -> float:
    """The Gini coefficient: 0 where all are the same, near 1 where one has all.

    G = sum((2i - n - 1) x_i) / (n sum(x_i)) over the ascending x_1 .. x_n.
    """
    whole, n = sum(lengths), len(lengths)
    if not whole:
        return 0.0
    return sum((2 * i - n - 1) * x for i, x in enumerate(sorted(lengths), start=1)) / (n * whole)


def balance(paper: Paper) -> tuple[float, int]:
    """The Gini coefficient of the sections' lengths, and how many sections say nothing."""
    lengths = []
    for section in paper.body:
        said = (s for s in split_sentences(section.text, paper.language) if s.kind != "heading")
        lengths.append(sum(one.end - one.start for one in said))
    return gini(lengths), lengths.count(0)


def soft_recall(wanted: Sequence[str], headings: Sequence[str]) -> float:
    """How well headings cover those of a reference.

    For each wanted heading the cosine of the most similar one, averaged. A heading is a vector of
    the character pieces of its words, each by its count times `1 + ln((1 + n) / (1 + df))`, where
    df of all n headings have the piece.
    """
    if not wanted or not headings:
        return 0.0
    pieces = {one: Counter(_pieces(one)) for one in {*wanted, *headings}}
    spread = Counter(piece for found in pieces.values() for piece in found)
    vectors = {
        one: _unit(
            {
                piece: n * (1 + math.log((1 + len(pieces)) / (1 + spread[piece])))
                for piece, n in found.items()
            }
        )
        for one, found in pieces.items()
    }
    best = (max(_dot(vectors[one], vectors[other]) for other in headings) for one in wanted)
    return sum(best) / len(wanted)


def entity_recall(entities: Sequence[str], text: str) -> float:
    """Share of some names that stand in a text, whole words in order."""
    said = f" {' '.join(tokenise(text))} "
    asked = {" ".join(tokenise(one)) for one in entities} - {""}
    return sum(f" {one} " in said for one in asked) / max(1, len(asked))


def articles(folder: Path) -> dict[str, Article]:
    """The articles of FreshWiki's `articles.jsonl` by folded title."""
    found = {}
    for one in rows(folder / "articles.jsonl"):
        headings = [h for h in _headings(one["content"]) if h.casefold() not in _APPARATUS]
        article = Article(one["title"], headings, one["flair_entities"])
        found[folded(one["title"])] = article
    return found


def folded(title: str) -> str:
    """A title as titles are compared: words, without case and signs."""
    return " ".join(tokenise(title))


def _headings(content: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for section in content:
        yield section["section_title"]
        yield from _headings(section.get("subsections") or [])


def _repeated(paper: Paper) -> int:
    said = Counter(
        " ".join(strip_markers(section.text[one.start : one.end]).casefold().split())
        for section in paper.body
        for one in split_sentences(section.text, paper.language)
        if one.kind in ("prose", "item")
    )
    return sum(times - 1 for claim, times in said.items() if len(tokenise(claim)) >= GRAM)


def _pieces(heading: str) -> Iterator[str]:
    least, most = LETTERS
    for word in tokenise(heading):
        padded = f" {word} "
        for size in range(least, most + 1):
            yield from (padded[i : i + size] for i in range(len(padded) - size + 1))


def _unit(vector: dict[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
    return {piece: value / length for piece, value in vector.items()}


def _dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(value * other[piece] for piece, value in one.items() if piece in other)
