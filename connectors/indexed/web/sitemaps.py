"""Sitemaps and indexes of sitemaps (sitemaps.org), read as they come in."""

import zlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx

from connectors.http.redact import redact_url
from connectors.indexed.web.site import WebsiteClient, to_request_url
from schema.errors import ConnectorError

MAX_BYTES = 50 * 2**20
"""Bytes of one sitemap, unpacked; the most that the protocol allows."""
MAX_SITEMAPS = 50_000
"""Sitemaps of an index; the most that the protocol allows."""


@dataclass(frozen=True)
class SitemapEntry:
    """A page that a sitemap names, or another sitemap."""

    url: str
    lastmod: str = ""
    is_sitemap: bool = False


def is_sitemap(path: str) -> bool:
    """Whether the path of an address is a sitemap's."""
    return path.casefold().endswith((".xml", ".xml.gz"))


async def list_entries(site: WebsiteClient, url: str) -> AsyncIterator[SitemapEntry]:
    """Every page of a sitemap, or of all sitemaps of an index.

    Raises:
        ConnectorError: one of the sitemaps cannot be read.
    """
    sitemaps, met = [url], {url}
    for one in sitemaps:  # which grows meanwhile
        for entry in (await site.get(one, _parse_sitemap)).body or ():
            if not entry.is_sitemap:
                yield entry
            elif entry.url not in met and len(met) < MAX_SITEMAPS:
                met.add(entry.url)
                sitemaps.append(entry.url)


async def _parse_sitemap(answer: httpx.Response) -> list[SitemapEntry]:
    """The entries of one sitemap, without the whole of it in memory."""
    from lxml import etree  # noqa: PLC0415  (only for sitemaps)

    url = redact_url(str(answer.url))
    parser = etree.XMLPullParser(("end",), resolve_entities=False, no_network=True)
    found: list[SitemapEntry] = []
    try:
        async for part in _decompress(answer):
            parser.feed(part)
            found += _take_entries(parser)
        top = etree.QName(parser.close()).localname
    except (etree.XMLSyntaxError, zlib.error):
        raise ConnectorError(f"{url} is no sitemap that can be read") from None
    if top not in ("urlset", "sitemapindex"):
        raise ConnectorError(f"{url} is no sitemap: it holds a <{top}>")
    return found


def _take_entries(parser: Any) -> list[SitemapEntry]:
    """The entries that are complete by now. They are taken out of the tree, which stays small."""
    found = []
    for _, element in parser.read_events():
        name = element.tag.rpartition("}")[2]
        if name not in ("url", "sitemap"):
            continue
        loc, lastmod = (" ".join((element.findtext(f"{{*}}{n}") or "").split()) for n in _FIELDS)
        if url := to_request_url(loc):
            found.append(SitemapEntry(url, lastmod, name == "sitemap"))
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
    return found


_FIELDS = ("loc", "lastmod")


async def _decompress(answer: httpx.Response) -> AsyncIterator[bytes]:
    """The bytes of a sitemap, of a packed one those that were packed."""
    unpack, size = None, 0
    async for part in answer.aiter_bytes():
        if not size and part.startswith(b"\x1f\x8b"):
            unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
        plain = unpack.decompress(part, MAX_BYTES + 1) if unpack else part
        size += len(plain)
        if size > MAX_BYTES:
            raise ConnectorError(
                f"{redact_url(str(answer.url))} is larger than {MAX_BYTES // 2**20} MB"
            )
        yield plain
