"""`wikipedia`: articles of the edition in the question's language, through MediaWiki's API."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from connectors.net.http import Api, base_url, web_host
from connectors.net.refusals import unreadable
from connectors.protocol import Limits
from connectors.reading.dates import iso_date
from connectors.reading.keywords import keywords
from retrieval.language import detect_language
from schema.documents import Document
from schema.errors import ConnectorError
from schema.limits import slots
from schema.together import together

RESULTS = 20
"""Introductions that one answer may hold."""
WHOLE = 3
"""Articles of a search that are read in full: each takes a request of its own."""
QUERY_CHARACTERS = 300  # Wikipedia refuses longer ones
REQUESTS = 4

_PASSING = ("ratelimited", "maxlag", "readonly", "internal_api_error", "cirrussearch")
"""Beginnings of the codes of errors that are of the moment; all come with status 200."""

_HEADING = re.compile(r"^(={2,6}) ([^\n]+) \1$", re.MULTILINE)
_FORMULA = re.compile(r"(?:\n {4}[^\n]*|\n {2}(?! {2}))+\n?")
"""A formula as extracts have it: its signs line by line, indented, and then its TeX."""
_TEX = re.compile(r"\{\\(?:display|text)style (.+)\}")


class Wikipedia:
    """Encyclopedia articles: the best three of a search in full, of the others introductions."""

    name = "wikipedia"
    kind: Literal["live"] = "live"
    reads = "articles of Wikipedia, in the language of the question"
    document = "an article: its address, title and the day of its last change"
    needs = ()
    package = ""
    languages = ()
    limits = Limits(concurrency=REQUESTS)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:  # noqa: ARG002  (articles have no day of publication)
        """Ask for articles with all words of a question, here and in English, or with any."""
        language = detect_language(query)
        words = keywords(query, language)
        here, english = (
            base_url(self.name, f"https://{code}.wikipedia.org") for code in (language, "en")
        )
        all_, any_ = _asked_for(words, " "), _asked_for(words, " OR ")
        for url, asked in dict.fromkeys([(here, all_), (english, all_), (here, any_)]):
            async with Api("Wikipedia", url) as api:
                if asked and (found := await _found(api, asked, min(limit, RESULTS))):
                    return found[:limit]
        return []


def _asked_for(words: Sequence[str], joint: str) -> str:
    asked = joint.join(words)
    return asked if len(asked) <= QUERY_CHARACTERS else asked[:QUERY_CHARACTERS].rsplit(joint, 1)[0]


async def _found(api: Api, asked: str, count: int) -> list[Document]:
    """The articles that a search finds, best first; not those that only list meanings of a word."""
    pages = await _pages(
        api,
        generator="search",
        gsrsearch=asked,
        gsrlimit=count,
        gsrnamespace=0,
        prop="extracts|info|revisions|pageprops",
        exintro=1,
        explaintext=1,
        exlimit=RESULTS,
        inprop="url",
        rvprop="timestamp",
        ppprop="disambiguation",
    )
    articles = [page for page in pages if not page.get("pageprops")]
    articles.sort(
        key=lambda page: index if isinstance(index := page.get("index"), int) else RESULTS
    )
    whole = await together(_whole(api, page) for page in articles[:WHOLE])
    texts = [*whole, *("" for _ in articles[WHOLE:])]
    now = datetime.now(UTC)
    made = (_document(page, text, now) for page, text in zip(articles, texts, strict=True))
    return [document for document in made if document]


async def _whole(api: Api, page: dict[str, Any]) -> str:
    """The text of an article; "" where it cannot be had now, and its introduction has to do."""
    try:
        pages = await _pages(
            api, pageids=page.get("pageid"), prop="extracts", explaintext=1, exlimit=1
        )
    except ConnectorError:
        return ""
    return _plain(pages[0].get("extract")) if pages else ""


async def _pages(api: Api, **params: Any) -> list[dict[str, Any]]:
    async with slots("requests to Wikipedia", REQUESTS):
        answer = await api.get(
            "/w/api.php", action="query", format="json", formatversion=2, **params
        )
    if not isinstance(answer, dict):
        raise unreadable("Wikipedia")
    if error := answer.get("error"):
        code = str(error.get("code") if isinstance(error, dict) else error)[:60]
        limited = "connector_limit" if code == "ratelimited" else "connector_failed"
        message = f"Wikipedia refused the query ({code})"
        raise ConnectorError(message, code=limited, passing=code.startswith(_PASSING))
    query = answer.get("query")  # it is missing where nothing was found
    pages = query.get("pages") if isinstance(query, dict) else None
    return [page for page in pages if isinstance(page, dict)] if isinstance(pages, list) else []


def _document(page: dict[str, Any], whole: str, now: datetime) -> Document | None:
    url, text = str(page.get("fullurl") or ""), whole or _plain(page.get("extract"))
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


def _plain(extract: object) -> str:
    """An extract as Markdown: its headings, and formulas as the TeX that they were written in."""
    text = _FORMULA.sub(_tex, extract if isinstance(extract, str) else "")
    text = _HEADING.sub(lambda found: f"{'#' * len(found[1])} {found[2]}", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _tex(found: re.Match[str]) -> str:
    formulas = _TEX.findall(found[0])
    return " ".join(f"${formula.strip()}$" for formula in formulas) or found[0]
