"""Choosing passages: nothing twice, no source lost, no kind alone, summaries where they exist."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.search.candidates import Candidate
from retrieval.search.dedup import (
    MAX_KIND_SHARE,
    MAX_MIRRORS,
    SAME_FACT,
    SAME_TEXT,
    SelectedPassage,
    deduplicate,
)
from schema.search import SUMMARIES
from text.tokens import hash_term, tokenise

ROOT = Path(__file__).parents[3]


def item(chunk: int, document: int, text: str = "", kind: str = "body") -> Candidate:
    """A candidate; without a text it has one that shares no word with any other."""
    text = text or " ".join(f"c{chunk}w{number}" for number in range(8))
    words = np.array(sorted({*map(hash_term, tokenise(text))}), np.int32)
    return Candidate(chunk=chunk, document=document, kind=kind, text=text, term_ids=words)


def version(subject: int, changed: int) -> str:
    """A text of 40 words, the last few of them changed.

    Versions with 0 and 2 changed words are one text, with 0 and 4 copies but not one text, with 0
    and 6 neither.
    """
    words = [f"s{subject}w{number}" for number in range(40 - changed)]
    return " ".join([*words, *(f"s{subject}v{changed}w{number}" for number in range(changed))])


def candidates(
    kinds: Sequence[str], text: st.SearchStrategy[str]
) -> st.SearchStrategy[list[Candidate]]:
    rows = st.lists(st.tuples(st.integers(0, 7), text, st.sampled_from(kinds)), max_size=25)
    return rows.map(lambda found: [item(chunk, *row) for chunk, row in enumerate(found)])


KINDS = ("body", "body", "body", "code", "timeline", "abstract", "overview")
DETAILS = ("body", "body", "body", "code", "timeline")
versions = st.builds(version, st.integers(0, 5), st.sampled_from([0, 2, 4, 6]))
found = candidates(KINDS, versions)
unlike = candidates(KINDS, st.just(""))
limits = st.integers(1, 12)
caps = st.integers(1, 4)


def chunks(kept: Sequence[SelectedPassage]) -> list[int]:
    return [one.item.chunk for one in kept]


def facts(kept: Sequence[SelectedPassage]) -> list[Candidate]:
    return [one.item for one in kept if one.mirror_of is None]


def documents(items: Sequence[Candidate]) -> set[int]:
    return {one.document for one in items}


def jaccard(one: set[object], other: set[object]) -> float:
    return len(one & other) / len(one | other)


def same_text(one: Candidate, other: Candidate) -> bool:
    return jaccard({*tokenise(one.text)}, {*tokenise(other.text)}) > SAME_TEXT


def copies(one: Candidate, other: Candidate) -> bool:
    def shingles(text: str) -> set[object]:
        words = tokenise(text)
        return {tuple(words[start : start + 5]) for start in range(len(words) - 4)}

    return jaccard(shingles(one.text), shingles(other.text)) >= SAME_FACT


@given(found, limits, caps)
def test_what_is_kept_is_some_of_the_candidates_within_bounds_and_said_once(
    items: list[Candidate], limit: int, cap: int
) -> None:
    kept = deduplicate(items, limit=limit, per_document=cap)
    assert len({*chunks(kept)}) == len(kept)
    assert all(items[one.item.chunk] is one.item for one in kept)
    assert all(number <= cap for number in Counter(one.item.document for one in kept).values())
    mirrors = Counter(one.mirror_of for one in kept if one.mirror_of is not None)
    paying = sum(max(0, number - MAX_MIRRORS) for number in mirrors.values())
    once = facts(kept)
    assert len(once) + paying <= limit
    for place, one in enumerate(once):
        for other in once[:place]:
            alike = same_text if one.document == other.document else copies
            assert not alike(one, other)
    again = deduplicate(once, limit=limit, per_document=cap)
    assert again == [SelectedPassage(item=one, mirror_of=None) for one in once]


@given(found, caps)
def test_only_the_limit_takes_a_document_s_last_passage(items: list[Candidate], cap: int) -> None:
    kept = deduplicate(items, limit=len(items) + 1, per_document=cap)
    assert documents([one.item for one in kept]) == documents(items)


@given(found, limits, caps)
def test_every_document_among_the_best_stays_unless_it_only_copies(
    items: list[Candidate], limit: int, cap: int
) -> None:
    kept = [one.item for one in deduplicate(items, limit=limit, per_document=cap)]
    for document in documents(items[:limit]) - documents(kept):
        best = next(one for one in items if one.document == document)
        better = items[: best.chunk]
        most = max(
            (sum(copies(twin, one) for one in better) for twin in better if copies(twin, best)),
            default=0,
        )
        assert most > MAX_MIRRORS  # a fact and all its mirrors


@given(unlike, limits)
def test_places_are_filled_while_candidates_last(items: list[Candidate], limit: int) -> None:
    kept = deduplicate(items, limit=limit, per_document=25)
    assert len(kept) == min(limit, len(items))


@given(found, limits, caps)
def test_a_mirror_stands_behind_a_better_twin_of_another_document(
    items: list[Candidate], limit: int, cap: int
) -> None:
    kept = deduplicate(items, limit=limit, per_document=cap)
    mirrors: Counter[int] = Counter()
    for place, one in enumerate(kept):
        if one.mirror_of is None:
            continue
        twin = items[one.mirror_of]
        assert twin.document != one.item.document
        assert twin.chunk < one.item.chunk
        assert copies(twin, one.item)
        mirrors[twin.chunk] += 1
        if mirrors[twin.chunk] <= MAX_MIRRORS:
            assert kept[place - mirrors[twin.chunk]] == SelectedPassage(item=twin, mirror_of=None)


@given(candidates(DETAILS, versions), limits, caps)
def test_candidates_that_all_fit_or_are_of_one_kind_keep_their_order(
    items: list[Candidate], limit: int, cap: int
) -> None:
    bodies = [replace(one, kind="body") for one in items]
    for some, most in ((items, len(items) + 1), (bodies, limit)):
        order = [one.chunk for one in facts(deduplicate(some, limit=most, per_document=cap))]
        assert order == sorted(order)


@given(candidates(DETAILS, st.just("")), limits)
def test_a_kind_exceeds_its_share_for_new_documents_and_empty_places_only(
    items: list[Candidate], limit: int
) -> None:
    kept = facts(deduplicate(items, limit=limit, per_document=25))
    taken = Counter(one.kind for one in kept)
    best = [next(one for one in items if one.document == number) for number in documents(items)]
    waiting = {one.kind for one in items if one not in kept}
    for one in kept:
        if taken[one.kind] > MAX_KIND_SHARE * limit and one not in best:
            assert all(taken[kind] + 1 > MAX_KIND_SHARE * limit for kind in waiting)


@given(unlike, limits, caps)
def test_a_document_with_two_passages_has_its_summary(
    items: list[Candidate], limit: int, cap: int
) -> None:
    kept = facts(deduplicate(items, limit=limit, per_document=cap))
    for document in documents(kept):
        kinds = [one.kind for one in kept if one.document == document]
        summarised = any(one.document == document and one.kind in SUMMARIES for one in items)
        if summarised and len(kinds) > 1:
            assert not {*kinds}.isdisjoint(SUMMARIES)


@pytest.mark.slow
def test_every_process_chooses_the_same() -> None:
    script = (
        "from tests.retrieval.search.test_dedup import *\n"
        "items = [item(c, c % 7, version(c % 9, c % 5), KINDS[c % 7]) for c in range(60)]\n"
        "told = [(k.item.chunk, k.mirror_of) for k in deduplicate(items, limit=12)]\n"
    )
    here: dict[str, object] = {}
    exec(script, here)
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", f"{script}print(told)"]
    assert subprocess.check_output(command, cwd=ROOT, env=environment, text=True) == (
        f"{here['told']}\n"
    )


def of(*rows: tuple[Any, ...]) -> list[Candidate]:
    return [item(*row) for row in rows]


A, A2, A4, A6 = (version(0, changed) for changed in (0, 2, 4, 6))
WORDS = A.split()
TURNED = " ".join(reversed(WORDS))
OTHER_END = " ".join([*WORDS[:36], "its", "end", "is", "another"])
OTHER_START = " ".join(["another", "start", "it", "has", *WORDS[4:]])
TEA = "普洱茶是云南特产的一种后发酵茶，以陈化多年的茶饼最为名贵，近年价格不断上涨"
COPIED = [(chunk, chunk, A) for chunk in range(3 + MAX_MIRRORS)]
MIRRORED = [0, *((chunk, 0) for chunk in range(1, 1 + MAX_MIRRORS))]
BODIES = [(chunk, 1) for chunk in range(12)]
CODES = [(chunk, 1, "", "code") for chunk in range(20, 25)]
CHOICES: dict[str, tuple[list[Candidate], int, int, list[Any]]] = {
    "nothing found is nothing kept": ([], 5, 3, []),
    "a repeat goes within a document and is marked across":
        (of((0, 1, A), (1, 1, A2), (2, 2, A2)), 5, 3, [0, (2, 0)]),
    "passages of one document may share much": (of((0, 1, A), (1, 1, A4)), 5, 3, [0, 1]),
    "texts of two documents that quote each other are two facts":
        (of((0, 1, A), (1, 2, A6)), 5, 3, [0, 1]),
    "the same words in another order are another fact elsewhere":
        (of((0, 1, A), (1, 2, TURNED)), 5, 3, [0, 1]),
    "and the same text within a document": (of((0, 1, A), (1, 1, TURNED)), 5, 3, [0]),
    "Chinese is compared by what it says":
        (of((0, 1, TEA), (1, 1, f"{TEA}。"), (2, 2, f"「{TEA}」"), (3, 2)), 5, 3, [0, (2, 0), 3]),
    "a copy of two facts stands behind the better":
        (of((0, 1, OTHER_END), (1, 2, OTHER_START), (2, 3, A)), 5, 3, [0, (2, 0), 1]),
    "a short text is compared as a whole":
        (of((0, 1, "Open on Mondays"), (1, 2, "open on mondays!"), (2, 3, "Open on")), 5, 3,
         [0, (1, 0), 2]),
    "texts without words are not alike":
        (of((0, 1, "{ }"), (1, 1, "( )"), (2, 2, "{ }")), 5, 3, [0, 1, 2]),
    "mirrors take no place":
        (of(*COPIED[:-2], (10, 10), (11, 11), (12, 12)), 3, 3, [*MIRRORED, 10, 11]),
    "a further copy fills a place that stays empty":
        (of(*COPIED, (10, 10), (11, 11)), 4, 3, [*MIRRORED, 10, 11, (4, 0)]),
    "and so do all": (of(*COPIED, (10, 10), (11, 11)), 9, 3, [*MIRRORED, 10, 11, (4, 0), (5, 0)]),
    "a copy of a passage that its document may not keep is no mirror":
        (of((0, 1), (1, 1, A), (2, 2, A)), 5, 1, [0, 2]),
    "a repeat does not use up a document's share":
        (of((0, 1, A), (1, 1, A2), (2, 1, version(1, 0))), 5, 2, [0, 2]),
    "what exceeds a kind's share stands behind the other kinds":
        (of(*BODIES, *CODES), 10, 20, [0, 1, 2, 3, 4, 5, 20, 21, 22, 23]),
    "and fills what these leave":
        (of(*BODIES, *CODES[:2]), 10, 20, [0, 1, 2, 3, 4, 5, 20, 21, 6, 7]),
    "a kind may exceed its share in place where all fit":
        (of(*BODIES[:5], *CODES[:1]), 6, 9, [0, 1, 2, 3, 4, 20]),
    "a new document beyond the limit takes no place of a better passage":
        (of((0, 1), (1, 1), (2, 1, "", "code"), (3, 2)), 3, 3, [0, 2, 1]),
    "another kind takes no document's only passage":
        (of((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (9, 0, "", "code")), 5, 3, [0, 1, 2, 3, 4]),
    "nor a mirror that is its document's only passage":
        (of((0, 1), (1, 1), (2, 1, A), (3, 2, A), (4, 1, "", "code")), 3, 9, [0, 2, (3, 2), 4]),
    "the best summary takes the place of the worst passage":
        (of((0, 1), (1, 1), (2, 1), (3, 2), (4, 1, "", "overview"), (5, 1, "", "abstract")), 4, 3,
         [0, 1, 4, 3]),
    "a summary may take the place of the passage that it repeats":
        (of((0, 1), (1, 1, A), (2, 1, A2, "abstract")), 3, 3, [0, 2]),
    "a summary takes the place of a further copy":
        (of(*COPIED[:-2], (10, 10), (11, 10, A), (12, 10, "", "abstract")), 3, 2,
         [*MIRRORED, 10, 12]),
    "a document with one passage keeps it":
        (of((0, 1), (1, 2), (2, 1, "", "abstract")), 2, 3, [0, 1]),
    "a document with a summary gets no other":
        (of((0, 1), (1, 1, "", "overview"), (2, 1), (3, 1, "", "abstract")), 3, 3, [0, 1, 2]),
    "a summary does not part a twin from its mirrors":
        (of((0, 1), (1, 1, A), (2, 2, A), (3, 1, "", "abstract")), 2, 3, [0, 1, (2, 1)]),
    "a best passage behind its own mirror is not given up":
        (of((0, 1, A), (1, 2), (2, 2, A), (3, 2, "", "abstract")), 2, 2, [0, (2, 0), 1]),
    "a summary that the document holds already is not added":
        (of((0, 1, A), (1, 1), (2, 2), (3, 1, A2, "abstract")), 3, 3, [0, 1, 2]),
    "nor one that another document holds":
        (of((0, 1), (1, 1), (2, 2, A), (3, 1, A2, "abstract")), 3, 2, [0, 1, 2]),
}  # fmt: skip
"""Candidates, the limit, the share of a document; chunks that are kept, mirrors with their twin."""


@pytest.mark.parametrize(("items", "limit", "cap", "kept"), CHOICES.values(), ids=CHOICES)
def test_which_passages_are_kept(
    items: list[Candidate], limit: int, cap: int, kept: list[Any]
) -> None:
    chosen = deduplicate(items, limit=limit, per_document=cap)
    told = [(one.item.chunk, one.mirror_of) for one in chosen]
    assert [chunk if twin is None else (chunk, twin) for chunk, twin in told] == kept


def test_no_copy_is_missed() -> None:
    pairs = []
    for chunk in range(0, 400, 2):
        words = [f"c{chunk}w{number}" for number in range(23)]
        pairs += of((chunk, 1, " ".join(words)), (chunk + 1, 2, " ".join(words[:22])))
    kept = deduplicate(pairs, limit=400, per_document=200)
    assert [one.mirror_of for one in kept if one.item.document == 2] == list(range(0, 400, 2))
