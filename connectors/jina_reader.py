"""Reading a page by Jina Reader: a browser elsewhere renders it, scripts and all."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from connectors.files.dates import iso_date
from connectors.files.file_text import FileText
from connectors.http.client import Api, base_url
from connectors.http.errors import bad_response_error
from connectors.http.redact import redact_url
from connectors.indexed.web.pages import MAX_BYTES, filter_links
from connectors.json_fields import get_string
from schema.errors import ConnectorError

PROVIDER = "Jina Reader"
KEY = "JINA_API_KEY"
"""Pages are read without one, too, but fewer in a minute."""
PAGE_SECONDS = 20
"""Longest that Jina waits for a page to be complete."""


@dataclass(frozen=True)
class JinaPage:
    """A page as Jina read it, and what it calls each address that it links to."""

    content: FileText
    links: dict[str, str]


async def fetch_by_jina(url: str, seconds: float) -> JinaPage:
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
    where = base_url("jina_reader", "https://r.jina.ai")
    async with Api(PROVIDER, where, key=KEY, bearer=True, headers=headers) as api:
        answer = await api.post("/", {"url": url})
    data = answer.get("data")
    if not isinstance(data, dict):
        raise bad_response_error(PROVIDER)
    text = get_string(data, "content")
    # Of a page that answered Jina with an error, the text is that of the error.
    if not text.strip() or "returned error" in str(data.get("warning")):
        raise ConnectorError(f"{PROVIDER} could not read {redact_url(url)}")
    if len(text) > MAX_BYTES:
        raise ConnectorError(f"{redact_url(url)}: its text is larger than {MAX_BYTES // 2**20} MB")
    found = FileText(
        text=text,
        title=get_string(data, "title"),
        published=iso_date(get_string(data, "publishedTime")),
    )
    return JinaPage(found, filter_links(_iterate_links(data.get("links")), url))


def _iterate_links(given: Any) -> Iterator[tuple[str, str]]:
    """Addresses and words out of pairs or an object of words and addresses, whichever came."""
    pairs = given.items() if isinstance(given, dict) else given if isinstance(given, list) else ()
    for pair in pairs:
        match pair:
            case [str(words), str(href)]:
                yield href, words
