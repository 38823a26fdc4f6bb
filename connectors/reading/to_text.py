"""Files to text.

Markdown and plain text are taken as they are, web pages by their main content; the rest (PDF,
office files, e-mail, e-books, ...) goes through kreuzberg.
"""

import asyncio
import codecs
import re
from dataclasses import dataclass
from email.utils import parseaddr
from functools import cache, lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import yaml
from charset_normalizer import from_bytes

from connectors.reading.dates import iso_date

LARGEST_FILE = 100 * 1024 * 1024
"""Bytes; larger files are named and skipped."""

PAGES = {".html", ".htm", ".xhtml"}
PLAIN = {
    ".md", ".markdown", ".mdx", ".txt", ".text", ".rst", ".org", ".adoc", ".tex", ".log",
    ".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".kt", ".c", ".h", ".cc", ".cpp",
    ".hpp", ".cs", ".rb", ".php", ".swift", ".scala", ".sh", ".sql", ".css", ".toml", ".ini",
}  # fmt: skip
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?)\n---[ \t]*\r?\n", re.DOTALL)
_HEADING = re.compile(r"^#[ \t]+(\S.*)$", re.MULTILINE)
_BAD_YAML = (
    yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, RecursionError,
)  # fmt: skip
"""What PyYAML raises: the first, and whatever a value such as 2024-13-45 runs into."""


class UnreadableError(Exception):
    """The file has no text that can be read; the message says why."""


@dataclass(frozen=True)
class FileText:
    """The text of a file, and what it says of itself."""

    text: str
    title: str = ""
    author: str = ""
    published: str = ""
    site: str = ""
    aliases: tuple[str, ...] = ()
    superseded: bool = False


async def read_file(path: Path) -> FileText:
    """Read a file of any of the formats that Quire knows.

    Raises:
        UnreadableError: it cannot be read, is too large, or holds no text.
    """
    try:
        size = (await asyncio.to_thread(path.stat)).st_size
        if size > LARGEST_FILE:
            raise UnreadableError(f"it is larger than {LARGEST_FILE // 2**20} MB")
        if size == 0:  # a pipe, too: reading it would wait forever
            raise UnreadableError("it is empty")
        data = await asyncio.to_thread(path.read_bytes)
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from error
    return await read_bytes(data, path.suffix)


async def read_bytes(data: bytes, suffix: str) -> FileText:
    """Read what a file holds, or would hold if it were one.

    Args:
        data: its bytes.
        suffix: the end of its name, which tells its format, as in `.pdf`.

    Raises:
        UnreadableError: it cannot be read, or holds no text.
    """
    suffix = suffix.lower()
    if not data:
        raise UnreadableError("it is empty")
    if suffix in PAGES:
        found = await asyncio.to_thread(html_text, data)
    elif suffix in PLAIN:
        found = await asyncio.to_thread(_plain, data)
    else:
        found = await _by_kreuzberg(suffix, data)
    if not any(character.isalnum() for character in found.text):
        raise UnreadableError("it holds no text")
    return found


def _plain(data: bytes) -> FileText:
    text = _decoded(data)
    told: dict[str, Any] = {}
    if front := _FRONT_MATTER.match(text):
        try:
            parsed = yaml.safe_load(front[1])
        except _BAD_YAML:
            parsed = None
        if isinstance(parsed, dict):
            told, text = parsed, text[front.end() :]
    heading = _HEADING.search(text)
    return FileText(
        text=text,
        title=_word(told.get("title")) or (heading[1].rstrip(" \t\r#") if heading else ""),
        author=_names(told.get("author") or told.get("authors")),
        published=iso_date(_word(told.get("date")) or _word(told.get("published"))),
        site=_word(told.get("site")),
        aliases=_listed(told.get("aliases")),
        superseded=bool(told.get("superseded") or told.get("superseded_by")),
    )


def _listed(value: object) -> tuple[str, ...]:
    """Names given as a list, or as one word."""
    given = value if isinstance(value, list) else [value]
    return tuple(name for name in map(_word, given) if name)


def html_text(data: bytes) -> FileText:
    """The main content of a web page as Markdown, without menus and footers.

    Raises:
        UnreadableError: it has none.
    """
    import trafilatura  # noqa: PLC0415  (0.2 s, for HTML only)

    text = trafilatura.extract(
        data, output_format="markdown", include_formatting=True, include_tables=True
    )
    told = trafilatura.extract_metadata(data)
    if not text:
        raise UnreadableError("no main content was found in the page")
    return FileText(
        text=text,
        title=(told and told.title) or "",
        author=(told and told.author) or "",
        published=iso_date((told and told.date) or ""),
        site=(told and told.sitename) or "",
    )


async def _by_kreuzberg(suffix: str, data: bytes) -> FileText:
    import kreuzberg  # noqa: PLC0415  (its extension is large; Markdown never needs it)

    kind = await asyncio.to_thread(_format, suffix)
    if not kind:
        return await _of_unknown_kind(data)
    try:
        # not its coroutine: that one can crash an interpreter which is about to exit
        result = await asyncio.to_thread(kreuzberg.extract_bytes_sync, data, kind, config=_config())
    except kreuzberg.ValidationError:  # it knows the name of this kind, and no more
        return await _of_unknown_kind(data)
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise UnreadableError(f"it could not be read ({first[:160]})") from error
    told: Any = result.metadata
    return FileText(
        text=result.content,
        title=str(told.get("title") or told.get("subject") or ""),
        author=_names(told.get("authors") or told.get("author") or told.get("created_by"))
        or _sender(str(told.get("from_email") or "")),
        published=iso_date(str(told.get("date") or told.get("created_at") or "")),
    )


async def _of_unknown_kind(data: bytes) -> FileText:
    if b"\0" in data[:8192]:
        raise UnreadableError("there is no reader for this format")
    return await asyncio.to_thread(_plain, data)


@lru_cache(maxsize=256)
def _format(suffix: str) -> str:
    """The type that kreuzberg knows files of this name by, which must exist; "" for none."""
    import kreuzberg  # noqa: PLC0415

    if not re.fullmatch(r"\.\w{1,12}", suffix, re.ASCII):
        return ""
    with NamedTemporaryFile(suffix=suffix) as named:
        try:
            return str(kreuzberg.detect_mime_type_from_path(named.name))
        except RuntimeError:
            return ""


@cache
def _config() -> Any:
    import kreuzberg  # noqa: PLC0415

    return kreuzberg.ExtractionConfig(output_format="markdown", use_cache=False)


def _decoded(data: bytes) -> str:
    try:
        return data.decode(_unmarked_utf16(data) or "utf-8-sig")
    except UnicodeDecodeError:
        guesses = from_bytes(data)
        best = guesses.best()
        if best is None:
            raise UnreadableError("its character encoding is not known") from None
        for guess in guesses:  # a few accents fit many encodings: the most common one it is
            same = (guess.chaos, guess.coherence) == (best.chaos, best.coherence)
            if same and "cp1252" in guess.could_be_from_charset:
                return data.decode("cp1252")
        return str(best)


def _unmarked_utf16(data: bytes) -> str:
    """The name of UTF-16 where its mark is missing and every other byte is zero; else ""."""
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))
    for name, zeros in (("utf-16-le", data[1:8192:2]), ("utf-16-be", data[:8192:2])):
        if not marked and zeros.count(0) > 0.7 * len(zeros):
            return name
    return ""


def _names(value: object) -> str:
    """One name or several; a record gives its `name`."""
    several = value if isinstance(value, list) else [value]
    words = [_word(one.get("name") if isinstance(one, dict) else one) for one in several]
    return ", ".join(word for word in words if word)


def _word(value: object) -> str:
    """A value that is one word, number or date; "" for a list or a record."""
    return "" if value is None or isinstance(value, list | dict) else str(value).strip()


def _sender(address: str) -> str:
    name, mailbox = parseaddr(address)
    return name or mailbox
