"""Reading a page by Jina Reader: a browser elsewhere renders it, scripts and all."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from connectors.net.addresses import shown
from connectors.net.http import Api, base_url
from connectors.net.refusals import unreadable
from connectors.providers.web_pages import LARGEST, known_links
from connectors.reading.dates import iso_date
from connectors.reading.file_text import FileText
from connectors.reading.records import word
from schema.errors import ConnectorError
from schema.settings import variable

PROVIDER = "Jina Reader"
KEY = "JINA_API_KEY"
"""Pages are read without one, too, but fewer in a minute."""
PAGE_SECONDS = 20
"""Longest that Jina waits for a page to be complete."""


@dataclass(frozen=True)
class JinaPage:
    """A page as Jina read it, and what it calls each address that it links to."""

    found: FileText
    links: dict[str, str]


async def read_by_jina(url: str, seconds: float) -> JinaPage:
    """Have Jina read a page. Its address leaves for Jina: the caller has looked at it.

    Args:
        url: the address.
        seconds: that there are for it.

    Raises:
        ConnectorError: Jina did not answer, did not get the page, or found no text in it.
    """
    headers = {
        "Accept": "application/json",
        "X-Retain-Images": "none",
        "X-Md-Link-Style": "discarded",
        "X-With-Links-Summary": "all",
        "X-Timeout": str(max(1, min(PAGE_SECONDS, int(seconds)))),
    }
    if key := variable(KEY):
        headers["Authorization"] = f"Bearer {key}"
    where = base_url("jina_reader", "https://r.jina.ai")
    async with Api(PROVIDER, where, key=KEY, headers=headers) as api:
        answer = await api.post("/", {"url": url})
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, dict):
        raise unreadable(PROVIDER)
    text = word(data, "content")
    # Of a page that answered Jina with an error, the text is that of the error.
    if not text.strip() or "returned error" in str(data.get("warning")):
        raise ConnectorError(f"{PROVIDER} could not read {shown(url)}")
    if len(text) > LARGEST:
        raise ConnectorError(f"{shown(url)}: its text is larger than {LARGEST // 2**20} MB")
    found = FileText(
        text=text,
        title=word(data, "title"),
        published=iso_date(word(data, "publishedTime")),
    )
    return JinaPage(found, known_links(_links(data.get("links")), url))


def _links(given: Any) -> Iterator[tuple[str, str]]:
    """Addresses and words out of pairs or an object of words and addresses, whichever came."""
    pairs = given.items() if isinstance(given, dict) else given if isinstance(given, list) else ()
    for pair in pairs:
        match pair:
            case [str(words), str(href)]:
                yield href, words
