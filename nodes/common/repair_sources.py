"""The passages that sentences are mended from, cut to what speaks of them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from citations.content_terms import count_common_terms, find_content_terms
from citations.foreign_marks import drop_foreign_marks
from citations.markers import find_markers, strip_markers
from citations.repair_view import find_excerpts
from library.library import Library
from nodes.common.part_texts import load_part_texts
from nodes.common.run import make_source_text
from prompts.template import SourceText
from retrieval.passages.context_window import group_by_document, pack_passages
from retrieval.passages.page_parts import make_part
from retrieval.search.word_ranker import WordRanker
from schema.documents import Passage
from schema.editing import RepairInput
from text.sentences import Sentence

CITED_EACH = 2
"""Passages of the sources that it cites that a repair sees for a sentence."""

MIN_SCORE_SHARE = 0.5
"""Share of the score of the first of these that the second has."""

MIN_COMMON_SHARE = 0.5
"""Share of a sentence's words of content that a passage of another source has that is shown."""

MAX_GAP = 2
"""Characters between two passages that stand side by side."""

TOKENS_EACH, FEWEST_TOKENS, MOST_TOKENS = 300, 2_000, 5_000
"""Of passages for each sentence and point of one repair, and for all of them, estimated."""

Wanted = tuple[Passage, str]
"""A passage, and the words for which it is shown."""


async def load_repair_sources(
    sections: Sequence[tuple[RepairInput, Sequence[Sentence]]], library: Library
) -> list[SourceText]:
    """The passages that the sentences of sections are to be mended from.

    Args:
        sections: each with all its sentences that may be mended.
        library: holds the passages.
    """
    drafts = [given["draft"] for given, _ in sections]
    loaded = await library.load_passages(sorted({c for one in drafts for c in one["passages"]}))
    numbers = {page["document"]: page["number"] for one in drafts for page in one["sources"]}
    chosen = [
        await asyncio.to_thread(
            _choose_passages,
            given,
            held,
            [loaded[chunk] for chunk in given["draft"]["passages"] if chunk in loaded],
        )
        for given, held in sections
    ]
    language = sections[0][0]["language"]
    parts = await asyncio.to_thread(_cut, _take_in_turn(chosen), language)
    grouped = group_by_document(pack_passages(parts, _count_tokens(sections)))
    described = await library.load_documents(list(grouped))
    layouts = await library.load_layouts(list(grouped))
    sources = []
    for document, found in grouped.items():
        info, places = described[document], layouts[document]
        shown = [make_part(start, end, places) for start, end in _join(found)]
        shown, texts = await load_part_texts(info, shown, places, library)
        headings = [one.heading for one in shown]
        texts = drop_foreign_marks(texts)
        sources.append(make_source_text(numbers[document], info, texts, headings))
    return sources


def _count_tokens(sections: Sequence[tuple[RepairInput, Sequence[Sentence]]]) -> int:
    """Of all passages of a repair: more where more is to be mended and answered."""
    wanted = sum(len(given["sentences"]) + len(given["points"]) for given, _ in sections)
    return min(MOST_TOKENS, max(FEWEST_TOKENS, TOKENS_EACH * wanted))


def _choose_passages(
    state: RepairInput, held: Sequence[Sentence], passages: Sequence[Passage]
) -> list[Wanted]:
    """The best passage that each sentence cites, what was looked up, then more, one each in turn.

    For a sentence that was looked up there is nothing but what was found, what says most of it
    first: not all may fit. The best passage of another source is shown where it says much of the
    sentence and no passage of its own does.
    """
    text = state["draft"]["text"]
    numbers = {page["document"]: page["number"] for page in state["draft"]["sources"]}
    ranker = WordRanker([f"{one.heading}\n{one.text}" for one in passages])
    looked_up = [
        _rank_found(passages, point["chunks"], point["subject"], ranker)
        for point in state["points"]
    ]
    cited: list[list[Wanted]] = []
    others: list[list[Wanted]] = []
    for one in state["sentences"]:
        at = held[one["sentence"] - 1]
        said = text[at.start : at.end]
        claim = strip_markers(said)
        if one["chunks"]:
            looked_up.append(_rank_found(passages, one["chunks"], claim, ranker))
            continue
        scores = ranker.scores(claim)
        ranked = [place for place in _order(scores) if scores[place] > 0]
        called = find_markers(said)
        own = [place for place in ranked if numbers[passages[place].document] in called]
        own = [n for n in own[:CITED_EACH] if scores[n] >= MIN_SCORE_SHARE * scores[own[0]]]
        cited.append([(passages[n], claim) for n in own])
        near = [passages[n] for n in ranked if n not in own][:1]
        supported = any(_speaks_of(passages[n], said, state["language"]) for n in own)
        is_near = not supported and near and _speaks_of(near[0], said, state["language"])
        others.append([(near[0], claim)] if is_near else [])
    best = [own[:1] for own in cited]
    return [one for kind in (best, looked_up, cited, others) for one in _take_in_turn(kind)]


def _rank_found(
    passages: Sequence[Passage], chunks: Sequence[int], words: str, ranker: WordRanker
) -> list[Wanted]:
    """Those of the passages that were found for some words, what says most of them first."""
    found = set(chunks)
    order = _order(ranker.scores(words))
    return [(passages[n], words) for n in order if passages[n].chunk in found]


def _order(scores: Sequence[float]) -> list[int]:
    """The places of scores, the best first, the first one of equals."""
    return sorted(range(len(scores)), key=lambda place: (-scores[place], place))


def _speaks_of(passage: Passage, said: str, language: str) -> bool:
    common = count_common_terms(said, f"{passage.heading}\n{passage.text}", language)
    return common >= MIN_COMMON_SHARE * len(find_content_terms(said, language))


def _cut(wanted: Sequence[Wanted], language: str) -> list[Passage]:
    """The passages cut to the paragraphs that speak of what they are shown for, the best first.

    Passages side by side that are shown for the same words are a part of a page that was pointed
    to: whether it answers is for its reader, who has it in one piece.
    """
    said: dict[int, list[str]] = {}
    by_chunk = {passage.chunk: passage for passage, _ in wanted}
    for passage, words in wanted:
        said.setdefault(passage.chunk, []).append(words)
    shown = []
    for chunk, subjects in said.items():
        whole = by_chunk[chunk]
        if any(_has_neighbour(whole, wanted, one) for one in subjects):
            shown.append(whole)
            continue
        spans = find_excerpts(whole.text, dict.fromkeys(subjects), language)
        shown += [_take_part(whole, start, end) for start, end in spans]
    return shown


def _has_neighbour(passage: Passage, wanted: Sequence[Wanted], words: str) -> bool:
    """Whether a passage right beside this one is shown for the same words."""
    return any(
        other.document == passage.document
        and other.chunk != passage.chunk
        and max(passage.start, other.start) - min(passage.end, other.end) <= MAX_GAP
        for other, shown_for in wanted
        if shown_for == words
    )


def _take_part(passage: Passage, start: int, end: int) -> Passage:
    return replace(
        passage,
        start=passage.start + start,
        end=passage.start + end,
        text=passage.text[start:end],
    )


def _join(found: Sequence[Passage]) -> list[tuple[int, int]]:
    """Where passages of a page, in order, begin and end: those side by side are one."""
    spans: list[tuple[int, int, str]] = []
    for one in found:
        start = one.start
        if spans and spans[-1][2] == one.heading and start - spans[-1][1] <= MAX_GAP:
            start = spans.pop()[0]
        spans.append((start, one.end, one.heading))
    return [(start, end) for start, end, _ in spans]


def _take_in_turn(found: Sequence[Sequence[Wanted]]) -> list[Wanted]:
    longest = max(map(len, found), default=0)
    return [each[n] for n in range(longest) for each in found if n < len(each)]
