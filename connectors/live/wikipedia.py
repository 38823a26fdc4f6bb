"""`wikipedia`: articles of the edition in the question's language, through MediaWiki's API."""

import re
from collections.abc import Sequence
from typing import Any

from connectors.files.keywords import extract_keywords
from connectors.files.search_results import build_result_document
from connectors.http.client import Api, base_url
from connectors.json_fields import get_fields, get_records, get_string
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document
from schema.errors import ConnectorError
from schema.gather import run_concurrently
from text.language import detect_language

MAX_RESULTS = 20
"""Introductions that one answer may hold."""
MAX_FULL_ARTICLES = 3
"""Articles of a search that are read in full: each takes a request of its own."""
QUERY_CHARACTERS = 300  # Wikipedia refuses longer ones

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
    limits = Limits(concurrency=4)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:  # noqa: ARG002  (articles have no date of publication)
        """Ask for articles with all words of a question, here and in English, or with any."""
        language = detect_language(query)
        words = extract_keywords(query, language)
        here, english = (
            base_url(self.name, f"https://{code}.wikipedia.org") for code in (language, "en")
        )
        all_, any_ = _build_query(words, " "), _build_query(words, " OR ")
        limits = Limits(attempts=1, concurrency=self.limits.concurrency)
        for url, asked in dict.fromkeys([(here, all_), (english, all_), (here, any_)]):
            async with Api("Wikipedia", url, limits=limits) as api:
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
    made = map(_parse_page, articles, texts)
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
    answer = await api.get("/w/api.php", action="query", format="json", formatversion=2, **params)
    if error := answer.get("error"):
        code = str(error.get("code") if isinstance(error, dict) else error)[:60]
        limited = "connector_limit" if code == "ratelimited" else "connector_failed"
        message = f"Wikipedia refused the query ({code})"
        raise ConnectorError(message, code=limited, retryable=code.startswith(_RETRYABLE))
    query = answer.get("query")  # it is missing where nothing was found
    return get_records(get_fields(query).get("pages"))


def _parse_page(page: dict[str, Any], whole: str) -> Document | None:
    return build_result_document(
        Wikipedia.name,
        {"url": page.get("fullurl"), "title": page.get("title")},
        _convert_to_markdown(page.get("extract")),
        page=whole,
        author="Wikipedia contributors",
        site="Wikipedia",
        published=get_string(page, "revisions", 0, "timestamp"),
    )


def _convert_to_markdown(extract: object) -> str:
    """An extract as Markdown: its headings, and formulas as the TeX that they were written in."""
    text = _FORMULA.sub(_format_tex, extract if isinstance(extract, str) else "")
    text = _HEADING.sub(lambda found: f"{'#' * len(found[1])} {found[2]}", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _format_tex(found: re.Match[str]) -> str:
    formulas = _TEX.findall(found[0])
    return " ".join(f"${formula.strip()}$" for formula in formulas) or found[0]
