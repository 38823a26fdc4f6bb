"""Files to text.

Markdown and plain text are taken as they are, web pages by their main content; the rest (PDF,
office files, e-mail, e-books, ...) goes through kreuzberg. All but text is read in a child: a
hostile file breaks that and nothing else.
"""

import asyncio
import re
from dataclasses import asdict
from email.utils import parseaddr
from functools import cache, lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from connectors.reading.archives import ArchiveError, is_archive, unpacked
from connectors.reading.dates import iso_date
from connectors.reading.decoding import decoded, in_utf8
from connectors.reading.file_text import FileText, UnreadableError
from connectors.reading.front_matter import front_matter
from connectors.reading.web_page import read_web_page
from connectors.reading.word_signs import with_signs, with_stand_ins
from library.children import BrokenError, Reading, in_child

FILES = Reading("files", "connectors.reading.to_text:answer", at_once=4, seconds=120)
LARGEST_FILE = 100 * 1024 * 1024
"""Bytes; larger files are named and skipped, and those with a longer text."""

HTML = {".html", ".htm", ".xhtml"}
PLAIN = {
    ".md", ".markdown", ".mdx", ".txt", ".text", ".rst", ".org", ".adoc", ".tex", ".log",
    ".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".kt", ".c", ".h", ".cc", ".cpp",
    ".hpp", ".cs", ".rb", ".php", ".swift", ".scala", ".sh", ".sql", ".css", ".toml", ".ini",
}  # fmt: skip
_HEADING = re.compile(r"^#[ \t]+(\S.*)$", re.MULTILINE)
_NO = {"false", "no", "off", "0"}


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
    if suffix in HTML:
        return (await read_web_page(data)).text()
    text = await asyncio.to_thread(in_utf8, data) if suffix in PLAIN else None
    found = await _by_child(data, suffix) if text is None else await asyncio.to_thread(_plain, text)
    if not found.wordy:
        raise UnreadableError("it holds no text")
    return found


async def _by_child(data: bytes, suffix: str) -> FileText:
    try:
        told = await in_child(FILES, data, suffix=suffix)
    except BrokenError as error:
        raise UnreadableError(str(error)) from None
    if reason := told.get("error"):
        raise UnreadableError(reason)
    return FileText.of(told)


def answer(data: bytes, suffix: str) -> dict[str, Any]:
    """What the child answers for a file: a `FileText` by its fields, or an `error`."""
    try:
        found = _decoded(data) if suffix in PLAIN else _by_kreuzberg(suffix, data)
    except UnreadableError as error:
        return {"error": str(error)}
    if len(found.text) > LARGEST_FILE:  # a spreadsheet may say a cell a million times in a word
        return {"error": f"its text is larger than {LARGEST_FILE // 2**20} MB"}
    return asdict(found)


def _decoded(data: bytes) -> FileText:
    text = decoded(data)
    if text is None:
        raise UnreadableError("its character encoding is not known")
    return _plain(text)


def _plain(text: str) -> FileText:
    told, text = front_matter(text)
    heading = _HEADING.search(text)
    return FileText(
        text=text,
        title=_word(told.get("title")) or (heading[1].rstrip(" \t\r#") if heading else ""),
        author=_names(told.get("author") or told.get("authors")),
        published=iso_date(_word(told.get("date")) or _word(told.get("published"))),
        site=_word(told.get("site")),
        aliases=_listed(told.get("aliases")),
        superseded=_said(told.get("superseded")) or _said(told.get("superseded_by")),
    )


def _listed(value: object) -> tuple[str, ...]:
    """Names given as a list, or as one word."""
    given = value if isinstance(value, list) else [value]
    return tuple(name for name in map(_word, given) if name)


def _said(value: object) -> bool:
    """Whether a value says yes, or names something."""
    return bool(value) and str(value).casefold() not in _NO


def _by_kreuzberg(suffix: str, data: bytes) -> FileText:
    import kreuzberg  # noqa: PLC0415  (its extension is large; Markdown never needs it)

    kind = _format(suffix)
    if not kind:
        return _of_unknown_kind(data)
    try:
        plain = unpacked(data, changed=with_stand_ins) if is_archive(data) else data
        result = kreuzberg.extract_bytes_sync(plain, kind, config=_config())
    except ArchiveError as error:
        raise UnreadableError(str(error)) from error
    except kreuzberg.ValidationError:  # it knows the name of this kind, and no more
        return _of_unknown_kind(data)
    except Exception as error:
        if "Tesseract initialization failed" in str(error):
            raise UnreadableError("it is a picture, and Tesseract has no language data") from error
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise UnreadableError(f"it could not be read ({first[:160]})") from error
    told: Any = result.metadata
    return FileText(
        text=with_signs(result.content),
        title=str(told.get("title") or told.get("subject") or ""),
        author=_names(told.get("authors") or told.get("author") or told.get("created_by"))
        or _sender(str(told.get("from_email") or "")),
        published=iso_date(str(told.get("date") or told.get("created_at") or "")),
    )


def _of_unknown_kind(data: bytes) -> FileText:
    if b"\0" in data[:8192]:
        raise UnreadableError("there is no reader for this format")
    return _decoded(data)


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

    config = kreuzberg.ExtractionConfig(output_format="markdown", use_cache=False)
    config.max_archive_depth = 0  # it would read what office files hold of others, and drop it
    return config


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
