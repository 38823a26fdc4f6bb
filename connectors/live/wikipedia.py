"""`wikipedia`: articles of the edition in the question's language, through MediaWiki's API."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from connectors.files.dates import iso_date
from connectors.files.keywords import extract_keywords
from connectors.http.client import Api, base_url, web_host
from connectors.protocol import Limits, LiveConnector
from schema.concurrency import get_semaphore
from schema.documents import Document
from schema.errors import ConnectorError
from schema.gather import run_concurrently
from text.language import detect_language

MAX_RESULTS = 20
"""Introductions that one answer may hold."""
MAX_FULL_ARTICLES = 3
"""Articles of a search that are read in full: each takes a request of its own."""
QUERY_CHARACTERS = 300  # Wikipedia refuses longer ones
CONCURRENCY = 4

_RETRYABLE = ("ratelimited", "maxlag", "readonly", "internal_api_error", "cirrussearch")
"""Beginnings of the codes of errors that are of the moment; all come with status 200."""

_HEADING = re.compile(r"^(={2,6}) ([^\n]+) \1$", re.MULTILINE)
_FORMULA = re.compile(r"(?:\n {4}[^\n]*|\n {2}(?! {2}))+\n?")
"""A formula as extracts have it: its characters line by line, indented, and then its TeX."""
_TEX = re.compile(r"\{\\(?:display|text)style (.+)\}")


class Wikipedia(LiveConnector):
    """Encyclopedia articles: the best three of a search in full, of the others introductions."""

    name = "wikipedia"
    description = "articles of Wikipedia, in the language of the question"
    document_description = "an article: its address, title and the date of its last change"
    limits = Limits(concurrency=CONCURRENCY)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:  # noqa: ARG002  (articles have no date of publication)
        """Ask for articles with all words of a question, here and in English, or with any."""
        language = detect_language(query)
        words = extract_keywords(query, language)
        here, english = (
            base_url(self.name, f"https://{code}.wikipedia.org") for code in (language, "en")
        )
        all_, any_ = _build_query(words, " "), _build_query(words, " OR ")
        for url, asked in dict.fromkeys([(here, all_), (english, all_), (here, any_)]):
            async with Api("Wikipedia", url) as api:
                if asked and (found := await _search_articles(api, asked, min(limit, MAX_RESULTS))):
                    return found[:limit]
        return []


def _build_query(words: Sequence[str], joint: str) -> str:
    asked = joint.join(words)
    return asked if len(asked) <= QUERY_CHARACTERS else asked[:QUERY_CHARACTERS].rsplit(joint, 1)[0]


async def _search_articles(api: Api, asked: str, count: int) -> list[Document]:
    """The articles that a search finds, best first; not those that only list meanings of a word."""
    pages = await _query_pages(
        api,
        generator="search",
        gsrsearch=asked,
        gsrlimit=count,
        gsrnamespace=0,
        prop="extracts|info|revisions|pageprops",
        exintro=1,
        explaintext=1,
        exlimit=MAX_RESULTS,
        inprop="url",
        rvprop="timestamp",
        ppprop="disambiguation",
    )
    articles = [page for page in pages if not page.get("pageprops")]
    articles.sort(
        key=lambda page: index if isinstance(index := page.get("index"), int) else MAX_RESULTS
    )
    whole = await run_concurrently(
        _fetch_article(api, page) for page in articles[:MAX_FULL_ARTICLES]
    )
    texts = [*whole, *("" for _ in articles[MAX_FULL_ARTICLES:])]
    now = datetime.now(UTC)
    made = (_parse_page(page, text, now) for page, text in zip(articles, texts, strict=True))
    return [document for document in made if document]


async def _fetch_article(api: Api, page: dict[str, Any]) -> str:
    """The text of an article; "" where it cannot be had now, and its introduction has to do."""
    try:
        pages = await _query_pages(
            api, pageids=page.get("pageid"), prop="extracts", explaintext=1, exlimit=1
        )
    except ConnectorError:
        return ""
    return _convert_to_markdown(pages[0].get("extract")) if pages else ""


async def _query_pages(api: Api, **params: Any) -> list[dict[str, Any]]:
    async with get_semaphore("requests to Wikipedia", CONCURRENCY):
        answer = await api.get(
            "/w/api.php", action="query", format="json", formatversion=2, **params
        )
    if error := answer.get("error"):
        code = str(error.get("code") if isinstance(error, dict) else error)[:60]
        limited = "connector_limit" if code == "ratelimited" else "connector_failed"
        message = f"Wikipedia refused the query ({code})"
        raise ConnectorError(message, code=limited, retryable=code.startswith(_RETRYABLE))
    query = answer.get("query")  # it is missing where nothing was found
    pages = query.get("pages") if isinstance(query, dict) else None
    return [page for page in pages if isinstance(page, dict)] if isinstance(pages, list) else []


def _parse_page(page: dict[str, Any], whole: str, now: datetime) -> Document | None:
    url, text = str(page.get("fullurl") or ""), whole or _convert_to_markdown(page.get("extract"))
    if not web_host(url) or not text:
        return None
    revisions = page.get("revisions")
    last = revisions[0] if isinstance(revisions, list) and revisions else None
    return Document(
        uri=url,
        url=url,
        text=text,
        connector=Wikipedia.name,
        title=str(page.get("title") or ""),
        author="Wikipedia contributors",
        site="Wikipedia",
        published=iso_date(str(last.get("timestamp"))) if isinstance(last, dict) else "",
        fetched=now,
        excerpt=not whole,
    )


def _convert_to_markdown(extract: object) -> str:
    """An extract as Markdown: its headings, and formulas as the TeX that they were written in."""
    text = _FORMULA.sub(_format_tex, extract if isinstance(extract, str) else "")
    text = _HEADING.sub(lambda found: f"{'#' * len(found[1])} {found[2]}", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _format_tex(found: re.Match[str]) -> str:
    formulas = _TEX.findall(found[0])
    return " ".join(f"${formula.strip()}$" for formula in formulas) or found[0]
