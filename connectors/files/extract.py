"""Files to text.

Markdown and plain text are taken as they are, web pages by their main content; the rest (PDF,
office files, e-mail, e-books, ...) goes through kreuzberg. All but text is read in a child: a
hostile file breaks that and nothing else.
"""

import asyncio
import re
import stat
from dataclasses import asdict
from email.utils import parseaddr
from functools import cache, lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from connectors.files.archives import ArchiveError, is_archive, uncompress_archive
from connectors.files.dates import iso_date
from connectors.files.encoding import decode, decode_utf8
from connectors.files.file_text import FileText, UnreadableError
from connectors.files.pdf_pages import mark_pages
from connectors.files.web_page import read_web_page
from connectors.files.word_entities import insert_placeholders, restore_characters
from library.sandbox import SandboxedReader, SandboxError, run_in_sandbox

FILE_READER = SandboxedReader(
    "files", "connectors.files.extract:extract_file", concurrency=4, seconds=120
)
MAX_FILE_BYTES = 100 * 1024 * 1024
"""Bytes; larger files are named and skipped, and those with a longer text."""

HTML_SUFFIXES = {".html", ".htm", ".xhtml"}
PLAIN_SUFFIXES = {
    ".md", ".markdown", ".mdx", ".txt", ".text", ".rst", ".org", ".adoc", ".tex", ".log",
    ".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".kt", ".c", ".h", ".cc", ".cpp",
    ".hpp", ".cs", ".rb", ".php", ".swift", ".scala", ".sh", ".sql", ".css", ".toml", ".ini",
}  # fmt: skip
_HEADING = re.compile(r"^#[ \t]+(\S.*)$", re.MULTILINE)
_FALSE_WORDS = {"false", "no", "off", "0"}


async def read_file(path: Path) -> FileText:
    """Read a file of any of the formats that Quire knows.

    Raises:
        UnreadableError: it cannot be read, is too large, or holds no text.
    """
    try:
        told = await asyncio.to_thread(path.stat)
        if not stat.S_ISREG(told.st_mode):  # reading a pipe would wait forever
            raise UnreadableError("it is no regular file")
        if told.st_size > MAX_FILE_BYTES:
            raise UnreadableError(f"it is larger than {MAX_FILE_BYTES // 2**20} MB")
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
    if suffix in HTML_SUFFIXES:
        return (await read_web_page(data)).require_main()
    text = await asyncio.to_thread(decode_utf8, data) if suffix in PLAIN_SUFFIXES else None
    found = (
        await _extract_in_sandbox(data, suffix)
        if text is None
        else await asyncio.to_thread(_read_plain, text)
    )
    if not found.has_words:
        raise UnreadableError("it holds no text")
    return found


async def _extract_in_sandbox(data: bytes, suffix: str) -> FileText:
    try:
        told = await run_in_sandbox(FILE_READER, data, suffix=suffix)
    except SandboxError as error:
        raise UnreadableError(str(error)) from None
    if reason := told.get("error"):
        raise UnreadableError(reason)
    return FileText.from_fields(told)


def extract_file(data: bytes, suffix: str) -> dict[str, Any]:
    """What the child answers for a file: a `FileText` by its fields, or an `error`."""
    try:
        found = (
            _decode_file(data) if suffix in PLAIN_SUFFIXES else _extract_by_kreuzberg(suffix, data)
        )
    except UnreadableError as error:
        return {"error": str(error)}
    if len(found.text) > MAX_FILE_BYTES:  # a spreadsheet may say a cell a million times in a word
        return {"error": f"its text is larger than {MAX_FILE_BYTES // 2**20} MB"}
    return asdict(found)


def _decode_file(data: bytes) -> FileText:
    text = decode(data)
    if text is None:
        raise UnreadableError("its character encoding is not known")
    return _read_plain(text)


def _read_plain(text: str) -> FileText:
    from connectors.files.front_matter import split_front_matter  # noqa: PLC0415  (PyYAML is slow)

    told, text = split_front_matter(text)
    heading = _HEADING.search(text)
    return FileText(
        text=text,
        title=_format_scalar(told.get("title")) or (heading[1].rstrip(" \t\r#") if heading else ""),
        author=_join_names(told.get("author") or told.get("authors")),
        published=iso_date(
            _format_scalar(told.get("date")) or _format_scalar(told.get("published"))
        ),
        site=_format_scalar(told.get("site")),
        aliases=_list_names(told.get("aliases")),
        superseded=_is_true(told.get("superseded")) or _is_true(told.get("superseded_by")),
    )


def _list_names(value: object) -> tuple[str, ...]:
    """Names given as a list, or as one word."""
    given = value if isinstance(value, list) else [value]
    return tuple(name for name in map(_format_scalar, given) if name)


def _is_true(value: object) -> bool:
    """Whether a value says yes, or names something."""
    return bool(value) and str(value).casefold() not in _FALSE_WORDS


def _extract_by_kreuzberg(suffix: str, data: bytes) -> FileText:
    import kreuzberg  # noqa: PLC0415  (its extension is large; Markdown never needs it)

    kind = _detect_type(suffix)
    if not kind:
        return _extract_unknown(data)
    try:
        plain = uncompress_archive(data, changed=insert_placeholders) if is_archive(data) else data
        result = kreuzberg.extract_bytes_sync(plain, kind, config=_make_config(kind))
    except ArchiveError as error:
        raise UnreadableError(str(error)) from error
    except kreuzberg.ValidationError:  # it knows the name of this kind, and no more
        return _extract_unknown(data)
    except Exception as error:
        if "Tesseract initialization failed" in str(error):
            raise UnreadableError("it is a picture, and Tesseract has no language data") from error
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise UnreadableError(f"it could not be read ({first[:160]})") from error
    told: Any = result.metadata
    pages: Any = result.document if kind == "application/pdf" else None
    text = mark_pages(result.content, pages["nodes"]) if pages else result.content
    return FileText(
        text=restore_characters(text),
        title=str(told.get("title") or told.get("subject") or ""),
        author=_join_names(told.get("authors") or told.get("author") or told.get("created_by"))
        or _parse_sender(str(told.get("from_email") or "")),
        published=iso_date(str(told.get("date") or told.get("created_at") or "")),
    )


def _extract_unknown(data: bytes) -> FileText:
    if b"\0" in data[:8192]:
        raise UnreadableError("there is no reader for this format")
    return _decode_file(data)


@lru_cache(maxsize=256)
def _detect_type(suffix: str) -> str:
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
def _make_config(kind: str) -> Any:
    import kreuzberg  # noqa: PLC0415

    config = kreuzberg.ExtractionConfig(output_format="markdown", use_cache=False)
    config.include_document_structure = kind == "application/pdf"
    config.max_archive_depth = 0  # it would read what office files hold of others, and drop it
    return config


def _join_names(value: object) -> str:
    """One name or several; a record gives its `name`."""
    several = value if isinstance(value, list) else [value]
    words = [_format_scalar(one.get("name") if isinstance(one, dict) else one) for one in several]
    return ", ".join(word for word in words if word)


def _format_scalar(value: object) -> str:
    """A value that is one word, number or date; "" for a list or a record."""
    return "" if value is None or isinstance(value, list | dict) else str(value).strip()


def _parse_sender(address: str) -> str:
    name, mailbox = parseaddr(address)
    return name or mailbox
