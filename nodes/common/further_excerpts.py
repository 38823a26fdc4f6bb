"""What the library says of the questions for a next report, shown to whoever drops the answered.

Their planner knows titles, headings and a few passages. What answers a question may stand in the
middle of a page whose heading does not say so, and a report that asks it all the same tells its
reader that the sources are silent on it.
"""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import pairwise

from citations.content_terms import count_common_terms
from connectors.search_all import SearchRequest
from nodes.common.search_events import search_stored
from retrieval.passages.listings import tell_listing
from retrieval.passages.openings import shorten
from retrieval.search.word_ranker import score_by_words
from schema.context import Context
from schema.documents import DocumentInfo, Passage
from text.sentences import split_sentences

MAX_CHARACTERS = 240
"""Of an excerpt."""

MIN_COMMON = 2
"""Words of content that an excerpt has of its question."""


async def find_further_excerpts(
    questions: Sequence[str], language: str, request: SearchRequest, context: Context
) -> list[str]:
    """For each question the sentence or two of a passage that say most of it, "" if none.

    Args:
        questions: for a next report.
        language: of the questions.
        request: how the library is searched.
        context: of the run.
    """
    found = await search_stored(questions, request, context)
    return [
        await asyncio.to_thread(_choose_excerpt, question, found[question], language)
        for question in questions
    ]


def _choose_excerpt(
    question: str, found: Sequence[tuple[Passage, DocumentInfo]], language: str
) -> str:
    """The excerpt with most of what few others have: each of them names what the library is on."""
    excerpts = [
        said
        for passage, page in found
        if tell_listing(passage, page.title) is None
        for said in _list_excerpts(passage.text, language)
    ]
    scores = score_by_words(question, excerpts, language)
    ranked = sorted(zip(scores, excerpts, strict=True), key=lambda one: -one[0])
    fitting = (
        one for _, one in ranked if count_common_terms(question, one, language) >= MIN_COMMON
    )
    return next(fitting, "")


def _list_excerpts(text: str, language: str) -> Iterator[str]:
    """The sentences of a text that are neither headings nor questions: each alone, then by two."""
    lines = [
        " ".join(text[one.start : one.end].split())
        for one in split_sentences(text, language)
        if one.kind != "heading"
    ]
    stating = [line for line in lines if not line.endswith(("?", "？"))]
    yield from (shorten(line, MAX_CHARACTERS) for line in stating)
    pairs = (f"{first} {second}" for first, second in pairwise(stating))
    yield from (pair for pair in pairs if len(pair) <= MAX_CHARACTERS)
