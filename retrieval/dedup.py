"""From ranked candidates to the passages worth reading: no repeats, many sources, many kinds."""

from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from retrieval.analysis import terms
from schema.search import SUMMARIES

SAME_TEXT = 0.85
"""Share of common words (Jaccard) above which two passages of one document are one."""

SAME_FACT = 0.8
"""Share of common shingles (Jaccard) from which passages of two documents are copies.

A changed word breaks five shingles, so of 160 words (1,000 characters) three may differ, or the
cut may lie a tenth further on: another byline, another spelling. Less would take in texts that
only quote each other. A wrong mark costs little, for both passages stay.
"""

SAME_WORDS = 0.6
"""Share of common words under which two passages cannot be copies: shingles need not be looked at,
which would take ten times as long."""

SHINGLE = 5
"""Terms in a shingle."""

MOST_MIRRORS = 3
"""Mirrors that a fact brings along for nothing; further ones need a place of their own."""

LARGEST_SHARE = 0.6
"""Share of the places that passages of one kind may take while others wait."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """A candidate: a chunk that a search found.

    Attributes:
        chunk: its number; no two candidates share one.
        document: the number of its document.
        kind: "abstract", "overview", "body", "timeline" or "code".
        text: the passage.
        words: its distinct words, as numbers or otherwise; equal ones are equal words.
    """

    chunk: int
    document: int
    kind: str
    text: str
    words: frozenset[int]


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A passage of the result; a mirror names the chunk that says the same in a better place."""

    item: Item
    mirror_of: int | None


def deduplicate(items: Sequence[Item], *, limit: int, per_document: int = 3) -> list[Kept]:
    """Choose the passages to read.

    No stage before the cut at `limit` takes a document's last passage. Every document among the
    best `limit` candidates is in the result, but for one whose best passage is a further copy of
    a fact that has its `MOST_MIRRORS` already.

    Args:
        items: best first.
        limit: largest number of passages, at least 1; the first `MOST_MIRRORS` mirrors of a
            passage are not counted.
        per_document: largest number of passages of one document, mirrors included, at least 1.

    Returns:
        Some of the items, in their order with four exceptions: a mirror stands right behind its
        twin, a further copy at the end, a passage of a kind that has its share behind the other
        kinds, and a summary in the place that it was given.
    """
    texts = [_Text(item) for item in items]
    # The cap on a document comes before the mirrors: what it takes cannot leave mirrors behind.
    facts, copies = _facts(_best_of_each(texts, per_document))
    places = [*_varied(facts, limit), *copies][:limit]
    return [kept for fact in _with_summaries(places, texts) for kept in fact.kept()]


@dataclass(frozen=True, eq=False)
class _Text:
    """An item and its shingles, which are found once, and only where its words are another's."""

    item: Item

    @cached_property
    def shingles(self) -> frozenset[int]:
        """Hashes of every run of five terms; of all terms where there are fewer."""
        found = terms(self.item.text)
        if 0 < len(found) < SHINGLE:
            return frozenset([hash(tuple(found))])
        return frozenset(map(hash, zip(*(found[i:] for i in range(SHINGLE)), strict=False)))


@dataclass(frozen=True, eq=False)
class _Fact:
    """A passage and its mirrors, best first; `copy_of` is set on a copy with its own place."""

    texts: list[_Text]
    copy_of: int | None = None

    @property
    def item(self) -> Item:
        return self.texts[0].item

    def kept(self) -> list[Kept]:
        first = Kept(item=self.item, mirror_of=self.copy_of)
        return [first, *(Kept(item=t.item, mirror_of=self.item.chunk) for t in self.texts[1:])]


def _jaccard(one: Set[object], other: Set[object]) -> float:
    """Common share of two sets; 0 for empty ones, since texts without words share nothing."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def _repeats(one: _Text, other: _Text) -> bool:
    if one.item.document == other.item.document:
        return _jaccard(one.item.words, other.item.words) > SAME_TEXT
    if _jaccard(one.item.words, other.item.words) < SAME_WORDS:
        return False
    return _jaccard(one.shingles, other.shingles) >= SAME_FACT


def _best_of_each(texts: Sequence[_Text], per_document: int) -> list[_Text]:
    """Leave each document its best passages that say different things."""
    kept: dict[int, list[_Text]] = defaultdict(list)
    best: list[_Text] = []
    for text in texts:
        better = kept[text.item.document]
        if len(better) < per_document and not any(_repeats(text, other) for other in better):
            better.append(text)
            best.append(text)
    return best


def _facts(texts: Sequence[_Text]) -> tuple[list[_Fact], list[_Fact]]:
    """Gather mirrors behind their twins.

    Returns:
        (facts in order, copies of facts that have all the mirrors they may have).
    """
    facts: list[_Fact] = []
    copies: list[_Fact] = []
    for text in texts:
        twin = next((fact for fact in facts if _repeats(text, fact.texts[0])), None)
        if twin is None:
            facts.append(_Fact([text]))
        elif len(twin.texts) <= MOST_MIRRORS:
            twin.texts.append(text)
        else:
            copies.append(_Fact([text], copy_of=twin.item.chunk))
    return facts, copies


def _varied(facts: Sequence[_Fact], limit: int) -> list[_Fact]:
    """Move what exceeds a kind's share behind the others, to fill places that stay empty.

    Nothing moves where all fit or all are of one kind. A fact within the limit that brings a new
    document stays: a source more is worth more than a kind more.
    """
    if len(facts) <= limit or len({fact.item.kind for fact in facts}) == 1:
        return list(facts)
    chosen: set[int] = set()
    documents: set[int] = set()
    for number, fact in enumerate(facts[:limit]):
        brought = {text.item.document for text in fact.texts}
        if not brought <= documents:
            chosen.add(number)
            documents |= brought
    taken = Counter(facts[number].item.kind for number in chosen)
    for number, fact in enumerate(facts):
        room = taken[fact.item.kind] + 1 <= LARGEST_SHARE * limit
        if number not in chosen and room:
            chosen.add(number)
            taken[fact.item.kind] += 1
    order = sorted(range(len(facts)), key=lambda number: (number not in chosen, number))
    return [facts[number] for number in order]


def _with_summaries(places: Sequence[_Fact], texts: Sequence[_Text]) -> list[_Fact]:
    """Give each document with a summary among the candidates, but not in the result, that one.

    It takes the place of the document's worst passage. The best one stays, so a document with one
    passage stays as it is: the passage that answered is worth more than a summary of the rest. A
    twin and its mirrors stay together. A summary that repeats what is in the result is no gain.
    """
    facts = list(places)
    lone = {fact.item.chunk: place for place, fact in enumerate(facts) if len(fact.texts) == 1}
    candidates: dict[int, list[_Text]] = defaultdict(list)
    for text in texts:
        candidates[text.item.document].append(text)
    for own in candidates.values():
        result = [text for fact in facts for text in fact.texts]
        kept = [text for text in own if text in result]
        worst = next((text for text in reversed(kept[1:]) if text.item.chunk in lone), None)
        if worst is None or any(text.item.kind in SUMMARIES for text in kept):
            continue
        others = [text for text in result if text is not worst]
        for summary in own:
            if summary.item.kind in SUMMARIES and not any(_repeats(summary, o) for o in others):
                facts[lone[worst.item.chunk]] = _Fact([summary])
                break
    return facts
