"""Which web addresses mean the same page, and one document out of several findings of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from schema.documents import Document

TRACKING_PARAMETERS = (
    "utm_", "fbclid", "gclid", "msclkid", "mc_cid", "mc_eid", "igshid", "ref_src", "yclid",
)  # fmt: skip
"""Beginnings of parameters that say where a reader came from, not what the page is."""

LARGEST_EXCERPTS = 20_000
"""Characters of all excerpts of one page together."""


def normalise_url(url: str) -> str:
    """One uri for the addresses of a page; anything but a web address is returned as it is.

    Scheme, `www.`, default port, fragment, tracking parameters and a last slash do not count.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return url
    if parts.scheme.casefold() not in ("http", "https") or not host:
        return url
    named = f"[{host}]" if ":" in host else host
    place = named if port in (None, 80, 443) else f"{named}:{port}"
    kept = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not name.casefold().startswith(TRACKING_PARAMETERS)
    ]
    query = f"?{urlencode(kept)}" if kept else ""
    return f"https://{place}{parts.path.rstrip('/')}{query}"


def merge_documents(found: Iterable[Document]) -> list[Document]:
    """Each page once, whoever found it, whatever order they came in.

    The longest page read in full stands for it; where there is none, all distinct excerpts do.
    What it lacks of title, author, site, language and date is taken from the others.
    """
    by_page: dict[str, list[Document]] = {}
    for document in found:
        by_page.setdefault(normalise_url(document.uri), []).append(document)
    return [_merge_page(uri, documents) for uri, documents in by_page.items()]


def join_excerpts(texts: Iterable[str]) -> str:
    """Excerpts of one page one after the other, without those that another holds."""
    kept: list[str] = []
    for text in dict.fromkeys(text.strip() for text in texts):
        if any(text in other for other in kept):
            continue
        kept = [other for other in kept if other not in text]
        if sum(map(len, kept)) + len(text) <= LARGEST_EXCERPTS:
            kept.append(text)
    return "\n\n".join(kept)


def _merge_page(uri: str, documents: Sequence[Document]) -> Document:
    ordered = sorted(documents, key=lambda one: (one.excerpt, -len(one.text), one.connector))
    best = ordered[0]
    text = join_excerpts(one.text for one in ordered) if best.excerpt else best.text
    lacking: dict[str, Any] = {
        name: next((value for one in ordered if (value := getattr(one, name))), "")
        for name in ("title", "author", "site", "language", "published")
    }
    return replace(best, uri=uri, text=text or best.text, **lacking)
