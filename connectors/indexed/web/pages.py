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

from connectors.files.extract import read_bytes
from connectors.files.file_text import FileText, UnreadableError
from connectors.files.web_page import LINK_CHARACTERS, MAX_LINKS, WebPage, read_web_page
from connectors.http.client import read_start, web_host
from connectors.http.redact import redact_url
from connectors.indexed.web.site import (
    USER_AGENT,
    SiteResponse,
    get_validator,
    is_within,
    to_request_url,
)
from retrieval.web.canonical_url import normalise_url
from schema.documents import CANONICAL
from schema.errors import ConnectorError

MAX_BYTES = 10 * 2**20
"""Bytes of one page, and characters of its text."""

_OOXML = "application/vnd.openxmlformats-officedocument"
_ODF = "application/vnd.oasis.opendocument"
SUFFIX_BY_TYPE = {
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
VAGUE_TYPES = {
    "", "application/octet-stream", "binary/octet-stream", "application/zip",
    "application/x-download", "application/force-download", "application/download",
    "application/msword", "application/vnd.ms-powerpoint", "application/vnd.ms-excel",
}  # fmt: skip
"""Types that servers give files of many formats: what the file is called tells more."""

SKIPPED_SUFFIXES = (
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".css", ".js", ".woff2",
    ".mp3", ".mp4", ".webm", ".zip", ".gz", ".tgz", ".exe", ".dmg", ".xml", ".json",
)  # fmt: skip
"""How addresses end that are not worth asking for."""


@dataclass(frozen=True)
class FetchedPage:
    """A page as it was answered."""

    uri: str
    """Of the address that the page itself says is its own, else of where it was found."""
    url: str
    """Where it was found."""
    is_indexable: bool
    """Whether the page allows to be held; its links may be followed all the same."""
    links: dict[str, str]
    """What the page calls each address that it links to, at or below the root."""
    body: bytes
    suffix: str
    web: WebPage
    """What was read of it; nothing where it is no HTML."""
    originals: tuple[str, ...] = ()
    """A link to the address on another host that the page says is its original's."""


async def read_body(answer: httpx.Response) -> bytes:
    """The body of a page.

    Raises:
        ConnectorError: it is none that can be read, or too large.
    """
    url = redact_url(str(answer.url))
    if not _detect_suffix(str(answer.url), answer.headers):
        kind = _get_content_type(answer.headers) or "unknown"
        raise ConnectorError(f"{url} is no page: it is of type {kind}")
    too_large = ConnectorError(f"{url} is larger than {MAX_BYTES // 2**20} MB")
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and int(length) > MAX_BYTES:
        raise too_large
    body = await read_start(answer, MAX_BYTES + 1)
    if len(body) > MAX_BYTES:
        raise too_large
    return body


def compute_version(answer: SiteResponse[bytes]) -> str:
    """What tells this version of a page from others: its server's word, else its bytes."""
    given = get_validator(answer.headers)
    return given or f"hash:{blake2b(answer.body or b'', digest_size=16).hexdigest()}"


async def parse_page(answer: SiteResponse[bytes], root: str, *, text: bool = True) -> FetchedPage:
    """Take an answer apart.

    Args:
        answer: with its body.
        root: the uri at or below which links and the page's own address count; "" for anywhere,
            and the page's own address then stands on its host.
        text: whether the text of HTML is wanted, too, which takes most of the time.

    Raises:
        UnreadableError: it is HTML that breaks its reader or costs too much.
    """
    body, suffix = answer.body or b"", _detect_suffix(answer.url, answer.headers)
    if suffix in _TEXT_SUFFIXES:
        body = await asyncio.to_thread(_to_utf8, body, answer.headers)
    web = WebPage([])
    if suffix == ".html":
        web = await read_web_page(body, address=answer.url, crawler=USER_AGENT, text=text)
    asked = _collect_directives(answer.headers, web.robots_directives)
    base = _join_url(answer.url, web.base) or answer.url
    canonical = _join_url(base, web.canonical) if web.canonical else ""
    uri, place = normalise_url(canonical), root or normalise_url(urljoin(answer.url, "/"))
    own = bool(canonical) and (uri == place or uri.startswith(f"{place}/"))
    links = [] if asked & {"nofollow", "none"} else web.links
    return FetchedPage(
        uri=uri if own else normalise_url(answer.url),
        url=answer.url,
        is_indexable=not asked & {"noindex", "none"},
        links=await asyncio.to_thread(filter_links, links, base, root),
        body=body,
        suffix=suffix,
        web=web,
        originals=_name_original(uri, answer.url) if canonical else (),
    )


def _name_original(uri: str, url: str) -> tuple[str, ...]:
    """A page on another host as the original, which is no more than the page's word."""
    elsewhere = web_host(uri) and web_host(uri) != web_host(normalise_url(url))
    return (f"{CANONICAL}{uri}",) if elsewhere else ()


async def extract_page_text(page: FetchedPage) -> FileText:
    """The main text of a page, and what it says of itself.

    Raises:
        UnreadableError: it holds none, holds too much, or cannot be read.
    """
    if page.suffix != ".html":
        found = await read_bytes(page.body, page.suffix)
    elif page.web.main is None:
        found = (await read_web_page(page.body, address=page.url)).require_main()
    else:
        found = page.web.require_main()
    if len(found.text) > MAX_BYTES:
        raise UnreadableError(f"its text is larger than {MAX_BYTES // 2**20} MB")
    return found


def filter_links(given: Iterable[tuple[str, str]], base: str, root: str = "") -> dict[str, str]:
    """Words by address, in the order given, of links that may be worth asking for.

    Args:
        given: each link's address, which may be a relative one, and words.
        base: the address that relative ones are relative to.
        root: see `parse_page`.
    """
    found: dict[str, str] = {}
    for href, words in islice(given, MAX_LINKS):
        url = _join_url(base, href) if href else ""
        path = url.partition("?")[0].casefold()
        if url and not path.endswith(SKIPPED_SUFFIXES) and is_within(url, root):
            found[url] = found.get(url) or " ".join(words.split())[:LINK_CHARACTERS]
    return found


_TEXT_SUFFIXES = (".html", ".txt", ".md", ".csv")
"""Some servers name a charset of what is no text, too."""
_CHARSETS = (
    "utf-8", "utf-16", "iso8859", "iso2022", "cp", "koi8", "gb", "big5", "shift_jis", "euc_", "mac",
    "ascii", "tis-620", "hz",
)  # fmt: skip
"""How the names of codecs begin that pages are in; punycode takes the square of a page's length."""
_VALUE_DIRECTIVES = ("unavailable_after", "max-")
"""What stands before a colon in X-Robots-Tag without being a crawler's name."""


def _get_content_type(headers: httpx.Headers) -> str:
    return str(headers.get("content-type", "")).partition(";")[0].strip().casefold()


def _detect_suffix(url: str, headers: httpx.Headers) -> str:
    """The end of a name, as in `.pdf`, that tells what is read; "" for what is not."""
    kind = _get_content_type(headers)
    if kind in VAGUE_TYPES:
        header = Message()
        header["Content-Disposition"] = headers.get("content-disposition", "")
        for name in (header.get_filename(""), unquote(urlsplit(url).path)):
            if (suffix := PurePosixPath(name).suffix.casefold()) in SUFFIX_BY_TYPE.values():
                return suffix
    return SUFFIX_BY_TYPE.get(kind, "")


def _to_utf8(body: bytes, headers: httpx.Headers) -> bytes:
    """A body in UTF-8, if the server says what it is in: its word counts more than the page's."""
    _, _, charset = headers.get("content-type", "").casefold().partition("charset=")
    try:
        codec = codecs.lookup(charset.partition(";")[0].strip(" \"'"))
        return body.decode(codec.name).encode() if codec.name.startswith(_CHARSETS) else body
    except (LookupError, ValueError):
        return body


def _collect_directives(headers: httpx.Headers, asked: Iterable[str]) -> set[str]:
    """What a page asks of every crawler, and of this one: `noindex`, `nofollow`, `none`."""
    given = list(asked)
    for line in headers.get_list("x-robots-tag"):
        agent, colon, rest = (part.strip().casefold() for part in line.partition(":"))
        named = colon and "," not in agent and not agent.startswith(_VALUE_DIRECTIVES)
        if not named or agent == USER_AGENT.casefold():
            given.append(rest if named else line)
    return {word.strip().casefold() for line in given for word in line.split(",")}


def _join_url(base: str, href: str) -> str:
    try:
        return to_request_url(urljoin(base, href.strip()))
    except ValueError:  # such as http://[
        return ""
