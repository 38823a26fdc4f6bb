"""What became of the web pages that a bundle cites: moved, gone, changed, and where.

The pages are fetched, or read from a WARC file.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from citations.evidence_span import SourcePassages
from connectors.http.safe_client import WebError
from connectors.indexed.web.warc import read_warc
from connectors.page_fetcher import CONNECTOR_NAME, FetchedDocument, fetch_page, read_answer
from exports.bundle.parts import Bundle, BundledSource
from exports.bundle.words import extract_words, hash_words
from retrieval.web.canonical_url import normalise_url
from schema.concurrency import get_semaphore
from schema.documents import Passage
from schema.errors import ConnectorError
from schema.gather import run_concurrently
from schema.report import Citation
from text.tokens import tokenise

SECONDS = 20.0
"""Deadline of one page, from when it is asked for."""

CONCURRENCY = 8

PAGE_CONNECTORS = (CONNECTOR_NAME, "web")
"""Connectors whose texts are read as they are read here, so that all of their words compare."""

MIN_KEPT = 0.35
"""Share of the words around its quotes that a page must still have: with fewer, another page, or a
note that it is gone, stands in its place."""

PageState = Literal[
    "same", "moved", "gone", "changed beside the quote", "changed in the quote", "not read"
]


@dataclass(frozen=True)
class LiveQuote:
    """A quote, by its citation's place in the report; `now` is what comes nearest to it."""

    citation: int
    state: Literal["same", "changed"]
    was: str
    now: str


@dataclass(frozen=True)
class LiveSource:
    """What became of a source. `address` is where it stands now, if elsewhere.

    "Moved" is a page whose words are the same at another address; one that was not read says why as
    `reason`.
    """

    number: int
    url: str
    state: PageState
    address: str
    reason: str
    quotes: tuple[LiveQuote, ...]


async def check_live(bundle: Bundle) -> list[LiveSource]:
    """Fetch the cited pages of the web and compare them with what the report cites."""
    return await _check_sources(bundle, partial(fetch_page, seconds=SECONDS))


async def check_archived(bundle: Bundle, file: Path) -> list[LiveSource]:
    """Compare the pages of a WARC file with what the report cites.

    Raises:
        InputError: it is no such file.
    """
    asked = [one["url"] for one in bundle["evidence"]["sources"]]
    answers = await asyncio.to_thread(read_warc, file, asked)

    async def read(url: str) -> FetchedDocument:
        if url not in answers:
            raise ConnectorError("it is not in the archive")
        return await read_answer(answers[url])

    return await _check_sources(bundle, read)


async def _check_sources(
    bundle: Bundle, read: Callable[[str], Awaitable[FetchedDocument]]
) -> list[LiveSource]:
    cited: dict[int, list[tuple[int, Citation]]] = {}
    for at, one in enumerate(bundle["report"]["citations"]):
        cited.setdefault(one["number"], []).append((at, one))
    language = bundle["report"]["language"]
    return await run_concurrently(
        _check_source(one, cited.get(one["number"], []), language, read)
        for one in bundle["evidence"]["sources"]
        if one["url"].startswith(("http://", "https://"))
    )


async def _check_source(
    source: BundledSource,
    cited: Sequence[tuple[int, Citation]],
    language: str,
    read: Callable[[str], Awaitable[FetchedDocument]],
) -> LiveSource:
    number, url = source["number"], source["url"]
    try:
        async with get_semaphore("pages", CONCURRENCY):
            page = await read(url)
    except ConnectorError as error:
        absent = error.code == "connector_absent" or (
            isinstance(error, WebError) and error.kind == "no host"
        )
        return LiveSource(number, url, "gone" if absent else "not read", "", str(error), ())
    except Exception as error:  # noqa: BLE001  (what a page does to its readers costs that page)
        reason = f"it could not be read ({type(error).__name__})"
        return LiveSource(number, url, "not read", "", reason, ())
    return await asyncio.to_thread(_compare, source, cited, page, language)


def _compare(
    source: BundledSource,
    cited: Sequence[tuple[int, Citation]],
    page: FetchedDocument,
    language: str,
) -> LiveSource:
    number, url, found = source["number"], source["url"], page.document
    words = extract_words(found.text)
    address = "" if normalise_url(found.url) == normalise_url(url) else found.url
    passages = [Passage(chunk=0, document=0, start=0, end=len(found.text), text=found.text)]
    now = SourcePassages(passages, language)
    quotes = tuple(_compare_quote(at, one, words, now) for at, one in cited)
    if all(one.state == "changed" for one in quotes) and _is_other_page(source, words):
        reason = "another page stands in its place"
        return LiveSource(number, url, "gone", address, reason, ())
    return LiveSource(number, url, _name_state(source, found.text, quotes, address), address, "",
                      quotes)  # fmt: skip


def _name_state(
    source: BundledSource, text: str, quotes: Sequence[LiveQuote], address: str
) -> PageState:
    if any(one.state == "changed" for one in quotes):
        return "changed in the quote"
    is_whole = source["connector"] in PAGE_CONNECTORS and not source["excerpt"]
    if is_whole and source["words_sha256"] and source["words_sha256"] != hash_words(text):
        return "changed beside the quote"
    return "moved" if address else "same"


def _compare_quote(at: int, cited: Citation, words: str, now: SourcePassages) -> LiveQuote:
    """Whether a page still has the words of a quote, as words of their own."""
    wanted = extract_words(cited["quote"])
    if re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", words):
        return LiveQuote(at, "same", cited["quote"], cited["quote"])
    nearest = now.find_best_span(cited["quote"])
    return LiveQuote(at, "changed", cited["quote"], nearest.quote if nearest else "")


def _is_other_page(source: BundledSource, words: str) -> bool:
    """Whether a page has hardly any of the words that stood around the quotes."""
    stood = {*tokenise(" ".join(extract_words(one["text"]) for one in source["stretches"]))}
    return len(stood & {*tokenise(words)}) < MIN_KEPT * len(stood)
