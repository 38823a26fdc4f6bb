"""What the library says of what a report calls open and asks for a next one, in a sentence or two.

Whoever drops what is answered is shown it. Writers know titles, headings and some passages: what
answers may stand in the middle of a page whose heading does not say so, and a report that asks for
it all the same tells its reader that the sources are silent on it.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from citations.content_terms import find_content_terms, has_kin
from connectors.search_all import SearchRequest
from nodes.common.search_events import search_stored
from retrieval.passages.listings import tell_listing
from retrieval.passages.openings import shorten
from retrieval.search.word_ranker import WordRanker
from schema.context import Context
from schema.documents import DocumentInfo, Passage
from text.sentences import split_sentences

MAX_CHARACTERS = 300
"""Of an excerpt."""

MAX_EXCERPTS = 2
"""Of a question: one for the whole of it, one for a clause, such as an example that it names."""

MIN_COMMON = 2
"""Words of content that an excerpt has of its question, one at least that its report's has not."""

_CLAUSE_END = re.compile(r"[,;:()]\s*|[，、；：（）]")


async def find_stored_excerpts(
    questions: Sequence[str], subject: str, language: str, request: SearchRequest, context: Context
) -> list[str]:
    """For each question what passages say of it, and of one of its clauses, "" if nothing.

    Each excerpt is the sentence or two that say most.

    Args:
        questions: or what is open, in words.
        subject: of the report, whose words tell none of them from another.
        language: of the questions.
        request: how the library is searched.
        context: of the run.
    """
    asked = {question: _list_queries(question, language) for question in questions}
    found = await search_stored([*chain.from_iterable(asked.values())], request, context)

    def choose(question: str) -> str:
        hits = [one for query in asked[question] for one in found[query]]
        return _Excerpts(hits, subject, language).choose(question, asked[question][1:])

    return [await asyncio.to_thread(choose, question) for question in questions]


def _list_queries(question: str, language: str) -> list[str]:
    """A question and its clauses: a passage that has one of several is no hit for the whole."""
    clauses = _CLAUSE_END.split(question)
    telling = [one for one in clauses if find_content_terms(one, language)]
    return [*dict.fromkeys([question, *telling])]


class _Excerpts:
    """The sentences of passages, of which those are taken that say most of what is asked."""

    def __init__(
        self, found: Iterable[tuple[Passage, DocumentInfo]], subject: str, language: str
    ) -> None:
        """Args: subject: of the report, whose words tell none of them from another."""
        self._texts = [
            said
            for passage, page in found
            if tell_listing(passage, page.title) is None
            for said in _list_excerpts(passage.text, language)
        ]
        self._terms = [find_content_terms(one, language) for one in self._texts]
        self._ranker = WordRanker(self._texts, language)
        self._known = find_content_terms(subject, language)
        self._language = language

    def choose(self, question: str, clauses: Sequence[str]) -> str:
        """What says most of a question, and of one of its clauses; "" if nothing does."""
        chosen = [best] if (best := self._find(question)) else []
        for clause in clauses:
            best = self._extend(self._find(clause))
            if best and not any(best in one or one in best for one in chosen):
                chosen.append(best)
        return " … ".join(chosen[:MAX_EXCERPTS])

    def _find(self, query: str) -> str:
        """The excerpt with most of what few others have: each of them names what they are on."""
        scores = self._ranker.scores(query)
        asked = find_content_terms(query, self._language)
        own = {term for term in asked if not has_kin(term, self._known)}
        for place in sorted(range(len(scores)), key=lambda place: -scores[place]):
            common = {term for term in asked if has_kin(term, self._terms[place])}
            if len(common) >= MIN_COMMON and (not own or common & own):
                return self._texts[place]
        return ""

    def _extend(self, excerpt: str) -> str:
        """It with the next sentence, if there is room: one names a thing, the next tells of it."""
        longer = (one for one in self._texts if excerpt and one.startswith(f"{excerpt} "))
        return next(longer, excerpt)


def _list_excerpts(text: str, language: str) -> Iterator[str]:
    """The sentences of a text, no headings, rows or questions: each alone, then by two."""
    lines = [
        " ".join(text[one.start : one.end].split())
        for one in split_sentences(text, language)
        if one.kind in ("prose", "item")
    ]
    stating = [line for line in lines if not line.endswith(("?", "？"))]
    yield from (shorten(line, MAX_CHARACTERS) for line in stating)
    pairs = (f"{first} {second}" for first, second in pairwise(stating))
    yield from (pair for pair in pairs if len(pair) <= MAX_CHARACTERS)
