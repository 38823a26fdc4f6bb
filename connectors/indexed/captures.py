"""`captures`: pages as a browser extension saw them, pushed to `serving/captures.py`."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from connectors.net.http import web_host
from connectors.protocol import Limits
from connectors.reading.dates import iso_date
from connectors.reading.file_text import FileText, UnreadableError
from connectors.reading.places import tree_place
from connectors.reading.web_page import read_web_page
from library.children import Reading
from retrieval.pages import page_uri
from schema.documents import Document

URL_BYTES = 2_000
"""Of an address: the library's index takes no longer keys."""

LARGEST_HTML = 10 * 2**20
"""Bytes of the HTML of one capture."""

PUSHED = Reading("pushed pages", "connectors.reading.web_page:answer", at_once=2, seconds=20)
"""Pushes share two children: neither they nor files and pages of the web keep the other waiting."""

AHEAD = timedelta(days=1)
"""How far the clock of a browser may be wrong. What came from the future could not be replaced."""

_MOMENT = "it must be ISO 8601 with a zone, as in 2026-05-01T10:00:00+02:00"
_LANGUAGE = re.compile(r"[a-z]{2,3}")


class Captures:
    """What was captured. Nothing is fetched: the browser pushes, and pushes again."""

    name = "captures"
    kind: Literal["indexed"] = "indexed"
    reads = "pages that a browser extension pushed, as its user saw them"
    document = (
        "a page: its address, its title and author, the day that it names as its own, at host/title"
    )
    needs = ()
    package = ""
    languages = ()
    limits = Limits()


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
        return page_uri(self.url)

    @property
    def version(self) -> str:
        """The moment of the capture in UTC: later ones are greater, also as strings."""
        return self.captured_at.isoformat()

    @model_validator(mode="before")
    @classmethod
    def _absent(cls, data: object) -> object:
        if isinstance(data, dict):
            return {name: value for name, value in data.items() if value is not None}
        return data

    @field_validator("url")
    @classmethod
    def _of_the_web(cls, url: str) -> str:
        url = url.strip()
        if not web_host(url):
            raise ValueError("it must be an address that begins with http:// or https://")
        if "@" in urlsplit(url).netloc:
            raise ValueError("it must not hold a user or a password")
        if len(page_uri(url).encode()) > URL_BYTES:
            raise ValueError(f"it must not be longer than {URL_BYTES} bytes")
        return url

    @field_validator("captured_at", mode="before")
    @classmethod
    def _moment(cls, given: Any) -> datetime:
        try:
            moment = datetime.fromisoformat(given)
            in_utc = moment.astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(_MOMENT) from None
        if moment.tzinfo is None:
            raise ValueError(_MOMENT)
        if in_utc > datetime.now(UTC) + AHEAD:
            raise ValueError("it must not lie in the future")
        return in_utc

    @field_validator("published")
    @classmethod
    def _day(cls, published: str) -> str:
        if published.strip() and not iso_date(published):
            raise ValueError("it must be a date of ISO 8601, as in 2026-05-01")
        return iso_date(published)

    @field_validator("language")
    @classmethod
    def _code(cls, language: str) -> str:
        code = re.split("[-_]", language.strip().casefold())[0]
        if code and not _LANGUAGE.fullmatch(code):
            raise ValueError("it must be a code as in en or pt-BR")
        return code

    @model_validator(mode="after")
    def _one_content(self) -> Self:
        if sum(bool(form.strip()) for form in (self.html, self.text, self.markdown)) != 1:
            raise ValueError("exactly one of html, text and markdown must have content")
        return self


async def document_of(capture: Capture) -> Document:
    """The document of a capture: what the reader marked, then the page.

    Raises:
        UnreadableError: its HTML cannot be read or holds no text, and nothing was marked.
    """
    marked = "\n".join(f"> {line}" for line in capture.selection.strip().splitlines())
    try:
        page = await _content(capture)
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
        path=tree_place(host, title),
    )


async def _content(capture: Capture) -> FileText:
    if capture.html.strip():
        html = capture.html.encode(errors="replace")
        if len(html) > LARGEST_HTML:
            raise UnreadableError(f"its HTML is larger than {LARGEST_HTML // 2**20} MB")
        return (await read_web_page(html, address=capture.url, reading=PUSHED)).text()
    return FileText(text=f"{capture.text}{capture.markdown}".strip())  # one of them is blank
