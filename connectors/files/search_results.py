"""What search engines hand over, as documents."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from connectors.files.dates import iso_date
from connectors.http.client import web_host
from connectors.http.errors import bad_response_error
from connectors.json_fields import get_records, get_string
from schema.documents import Document

MAX_AUTHORS = 10
"""Authors who are named; some papers have thousands."""


def parse_results(
    provider: str, results: Any, parse: Callable[[dict[str, Any]], Document | None]
) -> list[Document]:
    """The documents that results make, in their order; what makes none is left out.

    Raises:
        ConnectorError: there is no list of them.
    """
    if not isinstance(results, list):
        raise bad_response_error(provider)
    return [document for one in get_records(results) if (document := parse(one))]


def join_authors(names: Iterable[str]) -> str:
    """Authors in one line; of many the first ten."""
    named = [name for name in names if name]
    return ", ".join(named[:MAX_AUTHORS]) + (" et al." if len(named) > MAX_AUTHORS else "")


def build_result_document(
    connector: str,
    result: dict[str, Any],
    excerpt: str,
    *,
    page: str = "",
    author: str = "",
    site: str = "",
    language: str = "",
    published: str = "",
) -> Document | None:
    """A result by its `url` and `title`; without its page's text it is an excerpt.

    Args:
        connector: its name.
        result: as it came, with all else that it may hold.
        excerpt: what the search engine shows of the page.
        page: the text of the page; "" where it was not handed over.
        author: of the page.
        site: its name; "" takes the host.
        language: of the page, as `en`.
        published: a date in any form of `iso_date`.

    Returns:
        The document; None where the result has no web address or no text.
    """
    url = get_string(result, "url")
    text = page if page.strip() else excerpt
    if not web_host(url) or not text.strip():
        return None
    return Document(
        uri=url,
        url=url,
        text=text,
        connector=connector,
        title=get_string(result, "title"),
        author=author,
        site=site or web_host(url),
        language=language,
        published=iso_date(published),
        fetched=datetime.now(UTC),
        excerpt=not page.strip(),
    )
