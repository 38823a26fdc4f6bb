"""`arxiv`: abstracts of preprints, through arXiv's query API."""

import re
from datetime import UTC, datetime
from typing import Any, Literal

from connectors.net.http import Api, base_url
from connectors.protocol import Limits
from connectors.reading.dates import iso_date
from connectors.reading.keywords import keywords
from connectors.reading.xml import text_of, xml
from schema.documents import Document
from schema.errors import ConnectorError

OWN = "https://export.arxiv.org"
RESULTS = 100
WORDS = 20
AUTHORS = 10
"""Authors who are named; some papers have thousands."""

_NAMES = {
    "atom": "http://www.w3.org/2005/Atom",
    "found": "http://a9.com/-/spec/opensearch/1.1/",
}
_ABSTRACT = re.compile(r"/abs/([\w.-]+?(?:/\d+)?)(?:v\d+)?$")


class Arxiv:
    """Preprints. A result is an excerpt: arXiv's API hands over abstracts, not papers.

    arXiv asks for one request at a time, and for three seconds between two.
    """

    name = "arxiv"
    kind: Literal["live"] = "live"
    reads = "abstracts of arXiv's preprints"
    document = "an abstract: the paper's address, title, authors and day of its first version"
    needs = ()
    package = ""
    languages = ("en",)
    limits = Limits(concurrency=1, spacing=3.0)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:
        """Ask for papers that have all words of a question, or, where there is none, any."""
        words = [_term(word) for word in keywords(query)[:WORDS]]
        url = base_url(self.name, OWN)
        spacing = Limits(attempts=1, spacing=self.limits.spacing)
        async with Api("arXiv", url, limits=spacing, spaced=url == OWN) as api:
            for asked in dict.fromkeys((" AND ".join(words), " OR ".join(words))):
                if asked and (found := await _found(api, asked, since, min(limit, RESULTS))):
                    return found[:limit]
        return []


def _term(word: str) -> str:
    """A word in all fields; a joined one as a phrase: what follows a hyphen would be excluded."""
    parts = re.split(r"[-.']", word.removesuffix("'s"))
    return f"all:{parts[0]}" if len(parts) == 1 else f'all:"{" ".join(parts)}"'


def _dated(asked: str, since: str) -> str:
    """A query kept to papers submitted from a day on, to today: arXiv takes no open range."""
    if not since:
        return asked
    today = datetime.now(UTC).date().isoformat()
    first, last = (day.replace("-", "") for day in (since, max(since, today)))
    return f"({asked}) AND submittedDate:[{first}0000 TO {last}2359]"


async def _found(api: Api, asked: str, since: str, count: int) -> list[Document]:
    query = _dated(asked, since)
    params = {"search_query": query, "start": 0, "max_results": count, "sortBy": "relevance"}
    answer = (await api.request("GET", "/api/query", params=params)).content
    if not answer.strip():
        raise ConnectorError("arXiv's answer was empty", passing=True)
    feed = xml(answer, "arXiv")
    entries = feed.findall("atom:entry", _NAMES)
    if any("/api/errors" in entry.findtext("atom:id", "", _NAMES) for entry in entries):
        raise ConnectorError("arXiv refused the query")
    if not entries and feed.findtext("found:totalResults", "0", _NAMES).strip() != "0":
        raise ConnectorError("arXiv found papers and sent none", passing=True)
    now = datetime.now(UTC)
    return [document for entry in entries if (document := _document(entry, now))]


def _document(entry: Any, now: datetime) -> Document | None:
    identity = _ABSTRACT.search(entry.findtext("atom:id", "", _NAMES).strip())
    abstract = text_of(entry.find("atom:summary", _NAMES))
    if not identity or not abstract:
        return None
    url = f"https://arxiv.org/abs/{identity[1]}"
    found = [text_of(name) for name in entry.iterfind("atom:author/atom:name", _NAMES)]
    names = [name for name in found if name]
    return Document(
        uri=url,
        url=url,
        text=abstract,
        connector=Arxiv.name,
        title=text_of(entry.find("atom:title", _NAMES)),
        author=", ".join(names[:AUTHORS]) + (" et al." if len(names) > AUTHORS else ""),
        site="arXiv",
        published=iso_date(entry.findtext("atom:published", "", _NAMES)),
        fetched=now,
        excerpt=True,
    )
