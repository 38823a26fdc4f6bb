"""What the other sections of a report say of a thing that one of them leaves open."""

import re
from collections.abc import Sequence
from itertools import chain

from citations.gap_answers import rate_passages
from citations.gap_queries import find_before
from citations.markers import find_cited_sentences, find_markers, strip_markers
from nodes.common.gap_findings import Missing, Told
from retrieval.search.word_ranker import score_by_words
from schema.documents import Passage
from schema.report import Section

_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")

MAX_SENTENCES = 2
"""Sentences of other sections that are handed over for one missing thing."""


def find_told(
    one: Missing, drafts: Sequence[Section], passages: dict[int, Passage], language: str
) -> Told | None:
    """The sentences of other sections that cite and speak of a missing thing, None without one.

    Args:
        one: that a section lacks.
        drafts: all sections.
        passages: what their writers were shown, by chunk.
        language: of the report.
    """
    said = _list_cited(one, drafts, language)
    rated = [
        rate_passages(part, [passage for _, _, passage in said], language)
        for part in one.parts or (one.subject,)
    ]
    if not all(found and found[0].is_clear for found in rated):
        return None
    chosen = list(dict.fromkeys(found[0].chunk for found in rated))[:MAX_SENTENCES]
    words = " ".join(said[at][1] for at in chosen)
    sure = one.is_exact and all(year in words for year in _YEAR.findall(one.subject))
    chunks = chain.from_iterable(_find_sources(*said[at][:2], passages) for at in chosen)
    return Told(words, tuple(dict.fromkeys(chunks)), is_sure=sure)


def _list_cited(
    one: Missing, drafts: Sequence[Section], language: str
) -> list[tuple[Section, str, Passage]]:
    """The sentences and rows of other sections that cite, each as a passage under their title."""
    found: list[tuple[Section, str, Passage]] = []
    for draft in drafts:
        if draft["index"] == one.section:
            continue
        text = draft["text"]
        for sentence, numbers in find_cited_sentences(text, language):
            if not numbers:
                continue
            said = text[sentence.start : sentence.end]
            head = find_before(text, sentence, language) if sentence.kind == "table" else ""
            passage = Passage(
                chunk=len(found),
                document=0,
                start=sentence.start,
                end=sentence.end,
                text=strip_markers(said).replace("|", " "),
                heading=f"{draft['title']} {head}",
            )
            found.append((draft, said, passage))
    return found


def _find_sources(draft: Section, said: str, passages: dict[int, Passage]) -> list[int]:
    """Of each source that a sentence cites the chunk that says most of it."""
    documents = {one["number"]: one["document"] for one in draft["sources"]}
    chunks = []
    for number in find_markers(said):
        read = [
            passages[chunk]
            for chunk in draft["passages"]
            if chunk in passages and passages[chunk].document == documents.get(number)
        ]
        scores = score_by_words(strip_markers(said), [one.text for one in read])
        if read and max(scores) > 0:
            chunks.append(read[scores.index(max(scores))].chunk)
    return chunks
