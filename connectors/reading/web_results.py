"""What search engines hand over, as documents."""

from datetime import datetime
from typing import Any

from connectors.net.http import web_host
from schema.documents import Document


def page_or_excerpt(
    connector: str, result: dict[str, Any], page: str, excerpt: str, published: str, now: datetime
) -> Document | None:
    """A result by its `url` and `title`; without its page's text it is an excerpt.

    None where it has no web address or no text.
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
        site=web_host(url),
        published=published,
        fetched=now,
        excerpt=not page.strip(),
    )
