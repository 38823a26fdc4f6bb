"""`arxiv`: abstracts of preprints, through arXiv's query API."""

import re
from datetime import UTC, datetime
from typing import Any

from connectors.files.keywords import extract_keywords
from connectors.files.search_results import build_result_document, join_authors
from connectors.files.xml import get_element_text, parse_xml
from connectors.http.client import Api, base_url
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document
from schema.errors import ConnectorError

BASE_URL = "https://export.arxiv.org"
MAX_RESULTS = 100
MAX_WORDS = 20

_NAMESPACES = {
    "atom": "http://www.w3.org/2005/Atom",
    "found": "http://a9.com/-/spec/opensearch/1.1/",
}
_ABSTRACT = re.compile(r"/abs/([\w.-]+?(?:/\d+)?)(?:v\d+)?$")


class Arxiv(LiveConnector):
    """Preprints. A result is an excerpt: arXiv's API hands over abstracts, not papers.

    arXiv asks for one request at a time, and for three seconds between two.
    """

    name = "arxiv"
    description = "abstracts of arXiv's preprints"
    document_description = (
        "an abstract: the paper's address, title, authors and date of its first version"
    )
    languages = ("en",)
    limits = Limits(concurrency=1, request_interval=3.0)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask for papers that have all words of a question, or, where there is none, any."""
        words = [_build_term(word) for word in extract_keywords(query)[:MAX_WORDS]]
        url = base_url(self.name, BASE_URL)
        limits = Limits(attempts=1, request_interval=self.limits.request_interval)
        async with Api("arXiv", url, limits=limits, rate_limited=url == BASE_URL) as api:
            for asked in dict.fromkeys((" AND ".join(words), " OR ".join(words))):
                if asked and (
                    found := await _search_papers(api, asked, since, min(limit, MAX_RESULTS))
                ):
                    return found[:limit]
        return []


def _build_term(word: str) -> str:
    """A word in all fields; a joined one as a phrase: what follows a hyphen would be excluded."""
    parts = re.split(r"[-.']", word.removesuffix("'s"))
    return f"all:{parts[0]}" if len(parts) == 1 else f'all:"{" ".join(parts)}"'


def _limit_dates(asked: str, since: str) -> str:
    """A query limited to papers submitted from a day on, to today: arXiv takes no open range."""
    if not since:
        return asked
    today = datetime.now(UTC).date().isoformat()
    first, last = (day.replace("-", "") for day in (since, max(since, today)))
    return f"({asked}) AND submittedDate:[{first}0000 TO {last}2359]"


async def _search_papers(api: Api, asked: str, since: str, count: int) -> list[Document]:
    query = _limit_dates(asked, since)
    params = {"search_query": query, "start": 0, "max_results": count, "sortBy": "relevance"}
    answer = (await api.request("GET", "/api/query", params=params)).content
    if not answer.strip():
        raise ConnectorError("arXiv's answer was empty", retryable=True)
    feed = parse_xml(answer, "arXiv")
    entries = feed.findall("atom:entry", _NAMESPACES)
    if any("/api/errors" in entry.findtext("atom:id", "", _NAMESPACES) for entry in entries):
        raise ConnectorError("arXiv refused the query")
    if not entries and feed.findtext("found:totalResults", "0", _NAMESPACES).strip() != "0":
        raise ConnectorError("arXiv found papers and sent none", retryable=True)
    return [document for entry in entries if (document := _parse_entry(entry))]


def _parse_entry(entry: Any) -> Document | None:
    identity = _ABSTRACT.search(entry.findtext("atom:id", "", _NAMESPACES).strip())
    if not identity:
        return None
    title = get_element_text(entry.find("atom:title", _NAMESPACES))
    names = entry.iterfind("atom:author/atom:name", _NAMESPACES)
    return build_result_document(
        Arxiv.name,
        {"url": f"https://arxiv.org/abs/{identity[1]}", "title": title},
        get_element_text(entry.find("atom:summary", _NAMESPACES)),
        author=join_authors(map(get_element_text, names)),
        site="arXiv",
        published=entry.findtext("atom:published", "", _NAMESPACES),
    )
