"""From ranked candidates to the passages worth reading: no repeats, many sources, many kinds."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from retrieval.search.candidates import Candidate
from schema.search import SUMMARIES
from text.tokens import tokenise

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

COMPARED_ROWS = 32
"""Passages that are compared with all others at once: bounds the memory that it takes."""

SHINGLE_TERMS = 5
"""Terms in a shingle."""

MAX_MIRRORS = 3
"""Mirrors that a fact brings along for nothing; further ones need a place of their own."""

MAX_KIND_SHARE = 0.6
"""Share of the places that passages of one kind may take while others wait."""


@dataclass(frozen=True, kw_only=True)
class SelectedPassage:
    """A passage of the result; a mirror names the chunk that says the same in a better place."""

    item: Candidate
    mirror_of: int | None


def deduplicate(
    items: Sequence[Candidate], *, limit: int, per_document: int = 3
) -> list[SelectedPassage]:
    """Choose the passages to read.

    No stage before the cut at `limit` takes a document's last passage. Every document among the
    best `limit` candidates is in the result, but for one whose best passage is a further copy of
    a fact that has its `MAX_MIRRORS` already.

    Args:
        items: best first; no two are of one chunk. What is compared is `text` and `term_ids`.
        limit: largest number of passages, at least 1; the first `MAX_MIRRORS` mirrors of a
            passage are not counted.
        per_document: largest number of passages of one document, mirrors included, at least 1.

    Returns:
        Some of the items, in their order with four exceptions: a mirror stands right behind its
        twin, a further copy at the end, a passage of a kind that has its share behind the other
        kinds, and a summary in the place that it was given.
    """
    texts = _compare_words(items)
    # The cap on a document comes before the mirrors: what it takes cannot leave mirrors behind.
    facts, copies = _group_mirrors(_cap_per_document(texts, per_document))
    places = [*_diversify_kinds(facts, limit), *copies][:limit]
    return [kept for fact in _insert_summaries(places, texts) for kept in fact.list_passages()]


@dataclass(frozen=True, eq=False)
class _ShingledChunk:
    """An item and its shingles, which are found once, and only where its words are another's.

    `shared` holds the share of common words (Jaccard) with each other item that may repeat it, by
    chunk.
    """

    item: Candidate
    shared: dict[int, float]

    @cached_property
    def shingles(self) -> frozenset[int]:
        """Hashes of every run of five terms; of all terms where there are fewer."""
        found = tokenise(self.item.text)
        if 0 < len(found) < SHINGLE_TERMS:
            return frozenset([hash(tuple(found))])
        return frozenset(map(hash, zip(*(found[i:] for i in range(SHINGLE_TERMS)), strict=False)))


@dataclass(frozen=True, eq=False)
class _MirrorGroup:
    """A passage and its mirrors, best first; `copy_of` is set on a copy with its own place."""

    texts: list[_ShingledChunk]
    copy_of: int | None = None

    @property
    def item(self) -> Candidate:
        return self.texts[0].item

    def list_passages(self) -> list[SelectedPassage]:
        first = SelectedPassage(item=self.item, mirror_of=self.copy_of)
        return [
            first,
            *(SelectedPassage(item=t.item, mirror_of=self.item.chunk) for t in self.texts[1:]),
        ]


def _compare_words(items: Sequence[Candidate]) -> list[_ShingledChunk]:
    """Each item with the items that have most of its words. Texts without words share nothing."""
    if not items:
        return []
    lengths = np.array([len(item.term_ids) for item in items], np.int64)
    terms = np.concatenate([item.term_ids for item in items]).astype(np.int64)
    # numbers are sorted in a third of the time that their order takes
    pairs = np.sort(terms << 32 | np.repeat(np.arange(len(items)), lengths))
    first = np.diff(pairs >> 32, prepend=-1) != 0
    common = ~(first & np.append(first[1:], True))
    owners, columns = pairs[common] & 0xFFFFFFFF, np.cumsum(first[common]) - 1
    width = int(columns[-1]) + 1 if len(columns) else 0
    held = np.zeros((len(items), -(-width // 64) * 64), np.bool_)
    held[owners, columns] = True
    # bits are counted, for a product of matrices would wake a thread on every core
    bits = np.packbits(held, axis=1).view(np.uint64)
    shared: list[dict[int, float]] = [{} for _ in items]
    for start in range(0, len(items), COMPARED_ROWS):
        rows = slice(start, start + COMPARED_ROWS)
        both = np.bitwise_count(bits[rows, None] & bits).sum(axis=2, dtype=np.int64)
        shares = both / np.maximum(lengths[rows, None] + lengths - both, 1)
        near = np.nonzero(shares >= SAME_WORDS)
        for one, other, share in zip(
            *(found.tolist() for found in (*near, shares[near])), strict=True
        ):
            shared[start + one][items[other].chunk] = share
    return [_ShingledChunk(item, held) for item, held in zip(items, shared, strict=True)]


def _is_repeat(one: _ShingledChunk, other: _ShingledChunk) -> bool:
    share = one.shared.get(other.item.chunk)
    if share is None:
        return False
    if one.item.document == other.item.document:
        return share > SAME_TEXT
    common = len(one.shingles & other.shingles)
    return common > 0 and common / len(one.shingles | other.shingles) >= SAME_FACT


def _cap_per_document(texts: Sequence[_ShingledChunk], per_document: int) -> list[_ShingledChunk]:
    """Leave each document its best passages that say different things."""
    kept: dict[int, list[_ShingledChunk]] = defaultdict(list)
    best: list[_ShingledChunk] = []
    for text in texts:
        better = kept[text.item.document]
        if len(better) < per_document and not any(_is_repeat(text, other) for other in better):
            better.append(text)
            best.append(text)
    return best


def _group_mirrors(
    texts: Sequence[_ShingledChunk],
) -> tuple[list[_MirrorGroup], list[_MirrorGroup]]:
    """Gather mirrors behind their twins.

    Returns:
        (facts in order, copies of facts that have all the mirrors they may have).
    """
    facts: list[_MirrorGroup] = []
    copies: list[_MirrorGroup] = []
    for text in texts:
        alike = (fact for fact in facts if _is_repeat(text, fact.texts[0]))
        twin = next(alike, None) if len(text.shared) > 1 else None  # one is the text itself
        if twin is None:
            facts.append(_MirrorGroup([text]))
        elif len(twin.texts) <= MAX_MIRRORS:
            twin.texts.append(text)
        else:
            copies.append(_MirrorGroup([text], copy_of=twin.item.chunk))
    return facts, copies


def _diversify_kinds(facts: Sequence[_MirrorGroup], limit: int) -> list[_MirrorGroup]:
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
        room = taken[fact.item.kind] + 1 <= MAX_KIND_SHARE * limit
        if number not in chosen and room:
            chosen.add(number)
            taken[fact.item.kind] += 1
    order = sorted(range(len(facts)), key=lambda number: (number not in chosen, number))
    return [facts[number] for number in order]


def _insert_summaries(
    places: Sequence[_MirrorGroup], texts: Sequence[_ShingledChunk]
) -> list[_MirrorGroup]:
    """Give each document with a summary among the candidates, but not in the result, that one.

    It takes the place of the document's worst passage. The best one stays, so a document with one
    passage stays as it is: the passage that answered is worth more than a summary of the rest. A
    twin and its mirrors stay together. A summary that repeats what is in the result is no gain.
    """
    facts = list(places)
    lone = {fact.item.chunk: place for place, fact in enumerate(facts) if len(fact.texts) == 1}
    candidates: dict[int, list[_ShingledChunk]] = defaultdict(list)
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
            if summary.item.kind in SUMMARIES and not any(_is_repeat(summary, o) for o in others):
                facts[lone[worst.item.chunk]] = _MirrorGroup([summary])
                break
    return facts
