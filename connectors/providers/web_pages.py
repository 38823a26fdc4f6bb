"""One page of a website: its body, what it asks of crawlers, where it leads, its text."""

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.message import Message
from hashlib import blake2b
from itertools import islice
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import httpx

from connectors.providers.web_site import AGENT, Answer, is_within, validator_of, web_address
from connectors.reading.to_text import FileText, UnreadableError, read_bytes
from retrieval.pages import page_uri
from schema.errors import ConnectorError

LARGEST = 10 * 2**20
"""Bytes of one page, and characters of its text."""
MOST_LINKS = 10_000
"""Links of one page that are looked at."""
LINK_CHARACTERS = 200
"""Of what a page calls one address."""

_OOXML = "application/vnd.openxmlformats-officedocument"
_ODF = "application/vnd.oasis.opendocument"
KINDS = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "application/pdf": ".pdf",
    f"{_OOXML}.wordprocessingml.document": ".docx",
    f"{_OOXML}.presentationml.presentation": ".pptx",
    f"{_OOXML}.spreadsheetml.sheet": ".xlsx",
    f"{_ODF}.text": ".odt",
    f"{_ODF}.spreadsheet": ".ods",
    "application/rtf": ".rtf",
    "text/rtf": ".rtf",
    "application/epub+zip": ".epub",
    "application/msword": ".doc",
    "application/vnd.ms-powerpoint": ".ppt",
    "application/vnd.ms-excel": ".xls",
}
"""What is read, and as which format."""
VAGUE = {
    "", "application/octet-stream", "binary/octet-stream", "application/zip",
    "application/x-download", "application/force-download", "application/download",
    "application/msword", "application/vnd.ms-powerpoint", "application/vnd.ms-excel",
}  # fmt: skip
"""Types that servers give files of many formats: what the file is called tells more."""

NO_PAGES = (
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".css", ".js", ".woff2",
    ".mp3", ".mp4", ".webm", ".zip", ".gz", ".tgz", ".exe", ".dmg", ".xml", ".json",
)  # fmt: skip
"""How addresses end that are not worth asking for."""


@dataclass(frozen=True)
class Page:
    """A page as it was answered."""

    uri: str
    """Of the address that the page itself says is its own, else of where it was found."""
    validator: str
    held: bool
    """Whether the page allows to be held; its links may be followed all the same."""
    links: dict[str, str]
    """What the page calls each address that it links to, at or below the root."""
    body: bytes
    suffix: str


async def page_body(answer: httpx.Response) -> bytes:
    """The body of a page.

    Raises:
        ConnectorError: it is none that can be read, or too large.
    """
    if not _suffix(str(answer.url), answer.headers):
        kind = _kind(answer.headers) or "unknown"
        raise ConnectorError(f"{answer.url} is no page: it is of type {kind}")
    too_large = ConnectorError(f"{answer.url} is larger than {LARGEST // 2**20} MB")
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and int(length) > LARGEST:
        raise too_large
    body = bytearray()
    async for part in answer.aiter_bytes():
        body += part
        if len(body) > LARGEST:
            raise too_large
    return bytes(body)


def read_page(answer: Answer[bytes], root: str) -> Page:
    """Take an answer apart.

    Args:
        answer: with its body.
        root: the uri at or below which links and the page's own address count; "" for anywhere,
            and the page's own address then stands on its host.
    """
    raw = answer.body or b""
    validator = validator_of(answer.headers) or f"hash:{blake2b(raw, digest_size=16).hexdigest()}"
    suffix = _suffix(answer.url, answer.headers)
    body = _in_utf8(raw, answer.headers) if suffix in _TEXTS else raw
    tree = _tree(body) if suffix == ".html" else None
    asked = _directives(answer.headers, tree)
    base = answer.url
    if tree is not None and (given := tree.xpath("string(//base/@href)")):
        base = _address(base, given) or base
    follow = tree is not None and not asked & {"nofollow", "none"}
    canonical = _address(base, tree.xpath(_CANONICAL)) if tree is not None else ""
    uri, place = page_uri(canonical), root or page_uri(urljoin(answer.url, "/"))
    own = bool(canonical) and (uri == place or uri.startswith(f"{place}/"))
    return Page(
        uri=uri if own else page_uri(answer.url),
        validator=validator,
        held=not asked & {"noindex", "none"},
        links=known_links(_anchors(tree), base, root) if follow else {},
        body=body,
        suffix=suffix,
    )


async def page_text(page: Page) -> FileText:
    """The main text of a page, and what it says of itself.

    Raises:
        UnreadableError: it holds none, holds too much, or cannot be read.
    """
    found = await read_bytes(page.body, page.suffix)
    if len(found.text) > LARGEST:
        raise UnreadableError(f"its text is larger than {LARGEST // 2**20} MB")
    return found


def known_links(given: Iterable[tuple[str, str]], base: str, root: str = "") -> dict[str, str]:
    """Words by address, in the order given, of links that may be worth asking for.

    Args:
        given: each link's address, which may be a relative one, and words.
        base: the address that relative ones are relative to.
        root: see `read_page`.
    """
    found: dict[str, str] = {}
    for href, words in islice(given, MOST_LINKS):
        url = _address(base, href) if href else ""
        path = url.partition("?")[0].casefold()
        if url and not path.endswith(NO_PAGES) and is_within(url, root):
            found[url] = found.get(url) or " ".join(words.split())[:LINK_CHARACTERS]
    return found


_TEXTS = (".html", ".txt", ".md", ".csv")
"""Some servers name a charset of what is no text, too."""
_VALUED = ("unavailable_after", "max-")
"""What stands before a colon in X-Robots-Tag without being a crawler's name."""
_CANONICAL = "string(//head/link[@rel='canonical']/@href)"


def _kind(headers: httpx.Headers) -> str:
    return str(headers.get("content-type", "")).partition(";")[0].strip().casefold()


def _suffix(url: str, headers: httpx.Headers) -> str:
    """The end of a name, as in `.pdf`, that tells what is read; "" for what is not."""
    kind = _kind(headers)
    if kind in VAGUE:
        told = Message()
        told["Content-Disposition"] = headers.get("content-disposition", "")
        for name in (told.get_filename(""), unquote(urlsplit(url).path)):
            if (suffix := PurePosixPath(name).suffix.casefold()) in KINDS.values():
                return suffix
    return KINDS.get(kind, "")


def _in_utf8(body: bytes, headers: httpx.Headers) -> bytes:
    """A body in UTF-8, if the server says what it is in: its word counts more than the page's."""
    _, _, charset = headers.get("content-type", "").casefold().partition("charset=")
    try:
        codec = codecs.lookup(charset.partition(";")[0].strip(" \"'"))
        return body.decode(codec.name).encode()
    except (LookupError, ValueError):
        return body


def _tree(body: bytes) -> Any:
    from lxml import etree  # noqa: PLC0415  (0.02 s)

    try:
        body.decode()
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = None  # what the page declares
    try:
        return etree.fromstring(body, etree.HTMLParser(encoding=encoding, no_network=True))
    except (etree.XMLSyntaxError, ValueError):  # it is empty
        return None


def _directives(headers: httpx.Headers, tree: Any) -> set[str]:
    """What the page asks of every crawler, and of this one: `noindex`, `nofollow`, `none`."""
    given = [
        meta.get("content") or ""
        for meta in (tree.iter("meta") if tree is not None else ())
        if (meta.get("name") or "").casefold() in ("robots", AGENT.casefold())
    ]
    for line in headers.get_list("x-robots-tag"):
        agent, colon, rest = (part.strip().casefold() for part in line.partition(":"))
        named = colon and "," not in agent and not agent.startswith(_VALUED)
        if not named or agent == AGENT.casefold():
            given.append(rest if named else line)
    return {word.strip().casefold() for line in given for word in line.split(",")}


def _anchors(tree: Any) -> Iterator[tuple[str, str]]:
    for anchor in tree.iter("a"):
        if "nofollow" not in (anchor.get("rel") or "").casefold().split():
            texts = islice(anchor.itertext(), LINK_CHARACTERS)  # anchors may stand in anchors
            yield anchor.get("href") or "", "".join(text[:2_000] for text in texts)


def _address(base: str, href: str) -> str:
    try:
        return web_address(urljoin(base, href.strip()))
    except ValueError:  # such as http://[
        return ""
