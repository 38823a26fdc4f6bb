"""What search engines hand over, as documents."""

from datetime import UTC, datetime
from typing import Any

from connectors.files.dates import iso_date
from connectors.http.client import web_host
from schema.documents import Document


def build_result_document(
    connector: str,
    result: dict[str, Any],
    excerpt: str,
    *,
    page: str = "",
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
        site: its name; "" takes the host.
        language: of the page, as `en`.
        published: a date in any form of `iso_date`.

    Returns:
        The document; None where the result has no web address or no text.
    """
    url = str(result.get("url") or "")
    text = page if page.strip() else excerpt
    if not web_host(url) or not text.strip():
        return None
    return Document(
        uri=url,
        url=url,
        text=text,
        connector=connector,
        title=str(result.get("title") or ""),
        site=site or web_host(url),
        language=language,
        published=iso_date(published),
        fetched=datetime.now(UTC),
        excerpt=not page.strip(),
    )
