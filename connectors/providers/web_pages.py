"""One page of a website: its body, what it asks of crawlers, where it leads, its text."""

import asyncio
import codecs
from collections.abc import Iterable
from dataclasses import dataclass
from email.message import Message
from hashlib import blake2b
from itertools import islice
from pathlib import PurePosixPath
from urllib.parse import unquote, urljoin, urlsplit

import httpx

from connectors.net.addresses import shown
from connectors.providers.web_site import AGENT, Answer, is_within, validator_of, web_address
from connectors.reading.file_text import FileText, UnreadableError
from connectors.reading.to_text import read_bytes
from connectors.reading.web_page import LINK_CHARACTERS, MOST_LINKS, WebPage, read_web_page
from retrieval.pages import page_uri
from schema.errors import ConnectorError

LARGEST = 10 * 2**20
"""Bytes of one page, and characters of its text."""

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
    url: str
    """Where it was found."""
    held: bool
    """Whether the page allows to be held; its links may be followed all the same."""
    links: dict[str, str]
    """What the page calls each address that it links to, at or below the root."""
    body: bytes
    suffix: str
    web: WebPage
    """What was read of it; nothing where it is no HTML."""


async def page_body(answer: httpx.Response) -> bytes:
    """The body of a page.

    Raises:
        ConnectorError: it is none that can be read, or too large.
    """
    url = shown(str(answer.url))
    if not _suffix(str(answer.url), answer.headers):
        kind = _kind(answer.headers) or "unknown"
        raise ConnectorError(f"{url} is no page: it is of type {kind}")
    too_large = ConnectorError(f"{url} is larger than {LARGEST // 2**20} MB")
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and int(length) > LARGEST:
        raise too_large
    body = bytearray()
    async for part in answer.aiter_bytes():
        body += part
        if len(body) > LARGEST:
            raise too_large
    return bytes(body)


def version_of(answer: Answer[bytes]) -> str:
    """What tells this version of a page from others: its server's word, else its bytes."""
    given = validator_of(answer.headers)
    return given or f"hash:{blake2b(answer.body or b'', digest_size=16).hexdigest()}"


async def read_page(answer: Answer[bytes], root: str, *, text: bool = True) -> Page:
    """Take an answer apart.

    Args:
        answer: with its body.
        root: the uri at or below which links and the page's own address count; "" for anywhere,
            and the page's own address then stands on its host.
        text: whether the text of HTML is wanted, too, which takes most of the time.

    Raises:
        UnreadableError: it is HTML that breaks its reader or costs too much.
    """
    body, suffix = answer.body or b"", _suffix(answer.url, answer.headers)
    if suffix in _TEXTS:
        body = await asyncio.to_thread(_in_utf8, body, answer.headers)
    web = WebPage([])
    if suffix == ".html":
        web = await read_web_page(body, address=answer.url, crawler=AGENT, text=text)
    asked = _directives(answer.headers, web.asked)
    base = _address(answer.url, web.base) or answer.url
    canonical = _address(base, web.canonical) if web.canonical else ""
    uri, place = page_uri(canonical), root or page_uri(urljoin(answer.url, "/"))
    own = bool(canonical) and (uri == place or uri.startswith(f"{place}/"))
    links = [] if asked & {"nofollow", "none"} else web.links
    return Page(
        uri=uri if own else page_uri(answer.url),
        url=answer.url,
        held=not asked & {"noindex", "none"},
        links=await asyncio.to_thread(known_links, links, base, root),
        body=body,
        suffix=suffix,
        web=web,
    )


async def page_text(page: Page) -> FileText:
    """The main text of a page, and what it says of itself.

    Raises:
        UnreadableError: it holds none, holds too much, or cannot be read.
    """
    if page.suffix != ".html":
        found = await read_bytes(page.body, page.suffix)
    elif page.web.main is None:
        found = (await read_web_page(page.body, address=page.url)).text()
    else:
        found = page.web.text()
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
_CHARSETS = (
    "utf-8", "utf-16", "iso8859", "iso2022", "cp", "koi8", "gb", "big5", "shift_jis", "euc_", "mac",
    "ascii", "tis-620", "hz",
)  # fmt: skip
"""How the names of codecs begin that pages are in; punycode takes the square of a page's length."""
_VALUED = ("unavailable_after", "max-")
"""What stands before a colon in X-Robots-Tag without being a crawler's name."""


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
        return body.decode(codec.name).encode() if codec.name.startswith(_CHARSETS) else body
    except (LookupError, ValueError):
        return body


def _directives(headers: httpx.Headers, asked: Iterable[str]) -> set[str]:
    """What a page asks of every crawler, and of this one: `noindex`, `nofollow`, `none`."""
    given = list(asked)
    for line in headers.get_list("x-robots-tag"):
        agent, colon, rest = (part.strip().casefold() for part in line.partition(":"))
        named = colon and "," not in agent and not agent.startswith(_VALUED)
        if not named or agent == AGENT.casefold():
            given.append(rest if named else line)
    return {word.strip().casefold() for line in given for word in line.split(",")}


def _address(base: str, href: str) -> str:
    try:
        return web_address(urljoin(base, href.strip()))
    except ValueError:  # such as http://[
        return ""
