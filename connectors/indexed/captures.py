"""`captures`: pages as a browser extension saw them, pushed to `serving/captures.py`."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from connectors.files.dates import iso_date
from connectors.files.file_text import FileText, UnreadableError
from connectors.files.tree_path import join_tree_path
from connectors.files.web_page import read_web_page
from connectors.http.client import web_host
from connectors.protocol import IndexedConnector
from library.sandbox import SandboxedReader
from retrieval.web.canonical_url import normalise_url
from schema.documents import Document

URL_BYTES = 2_000
"""Of an address: the library's index takes no longer keys."""

LARGEST = 10 * 2**20
"""Bytes of the HTML of one capture."""

CAPTURE_READER = SandboxedReader(
    "pushed pages", "connectors.files.web_page:parse_web_page", concurrency=2, seconds=20
)
"""Pushes share two children: neither they nor files and pages of the web keep the other waiting."""

CLOCK_TOLERANCE = timedelta(days=1)
"""How far the clock of a browser may be wrong. What came from the future could not be replaced."""

_MOMENT_MESSAGE = "it must be ISO 8601 with a zone, as in 2026-05-01T10:00:00+02:00"
_LANGUAGE = re.compile(r"[a-z]{2,3}")


class Captures(IndexedConnector):
    """What was captured. Nothing is fetched: the browser pushes, and pushes again."""

    name = "captures"
    description = "pages that a browser extension pushed, as its user saw them"
    document_description = (
        "a page: its address, its title and author, the date that it names as its own, at "
        "host/title"
    )


class Capture(BaseModel):
    """One page as it was pushed, with its content in one of three forms. Null is as good as absent.

    `published` is what the page says of itself, not when it was captured. `selection` is what the
    reader had marked.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    title: str
    captured_at: datetime
    html: str = ""
    text: str = ""
    markdown: str = ""
    author: str = ""
    published: str = ""
    language: str = ""
    selection: str = Field("", max_length=100_000)

    @property
    def uri(self) -> str:
        """Identity of the page, whatever followed its address."""
        return normalise_url(self.url)

    @property
    def version(self) -> str:
        """The moment of the capture in UTC: later ones are greater, also as strings."""
        return self.captured_at.isoformat()

    @model_validator(mode="before")
    @classmethod
    def _drop_nulls(cls, data: object) -> object:
        if isinstance(data, dict):
            return {name: value for name, value in data.items() if value is not None}
        return data

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str) -> str:
        url = url.strip()
        if not web_host(url):
            raise ValueError("it must be an address that begins with http:// or https://")
        if "@" in urlsplit(url).netloc:
            raise ValueError("it must not hold a user or a password")
        if len(normalise_url(url).encode()) > URL_BYTES:
            raise ValueError(f"it must not be longer than {URL_BYTES} bytes")
        return url

    @field_validator("captured_at", mode="before")
    @classmethod
    def _parse_moment(cls, given: Any) -> datetime:
        try:
            moment = datetime.fromisoformat(given)
            in_utc = moment.astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(_MOMENT_MESSAGE) from None
        if moment.tzinfo is None:
            raise ValueError(_MOMENT_MESSAGE)
        if in_utc > datetime.now(UTC) + CLOCK_TOLERANCE:
            raise ValueError("it must not lie in the future")
        return in_utc

    @field_validator("published")
    @classmethod
    def _parse_date(cls, published: str) -> str:
        if published.strip() and not iso_date(published):
            raise ValueError("it must be a date of ISO 8601, as in 2026-05-01")
        return iso_date(published)

    @field_validator("language")
    @classmethod
    def _parse_language(cls, language: str) -> str:
        code = re.split("[-_]", language.strip().casefold())[0]
        if code and not _LANGUAGE.fullmatch(code):
            raise ValueError("it must be a code as in en or pt-BR")
        return code

    @model_validator(mode="after")
    def _check_content(self) -> Self:
        if sum(bool(form.strip()) for form in (self.html, self.text, self.markdown)) != 1:
            raise ValueError("exactly one of html, text and markdown must have content")
        return self


async def build_capture_document(capture: Capture) -> Document:
    """The document of a capture: what the reader marked, then the page.

    Raises:
        UnreadableError: its HTML cannot be read or holds no text, and nothing was marked.
    """
    marked = "\n".join(f"> {line}" for line in capture.selection.strip().splitlines())
    try:
        page = await _read_content(capture)
    except UnreadableError:
        if not marked:
            raise
        page = FileText(text="")
    host = web_host(capture.url)
    title = capture.title.strip() or page.title or host
    return Document(
        uri=capture.uri,
        url=capture.url,
        text="\n\n".join(part for part in (marked, page.text) if part),
        connector=Captures.name,
        title=title,
        author=capture.author.strip() or page.author,
        site=page.site or host,
        language=capture.language,
        published=capture.published or page.published,
        fetched=capture.captured_at,
        version=capture.version,
        path=join_tree_path(host, title),
    )


async def _read_content(capture: Capture) -> FileText:
    content = capture.html.strip() or f"{capture.text}{capture.markdown}".strip()  # one has any
    encoded = content.encode(errors="replace")
    if len(encoded) > LARGEST:
        raise UnreadableError(f"its content is larger than {LARGEST // 2**20} MB")
    if capture.html.strip():
        return (
            await read_web_page(encoded, address=capture.url, reading=CAPTURE_READER)
        ).require_main()
    return FileText(text=content)
