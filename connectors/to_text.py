"""Files to text.

Markdown and plain text are taken as they are, web pages by their main content; the rest (PDF,
office files, e-mail, e-books, ...) goes through kreuzberg.
"""

import asyncio
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from charset_normalizer import from_bytes

from connectors.dates import iso_date

LARGEST_FILE = 100 * 1024 * 1024
"""Bytes; larger files are named and skipped."""

PAGES = {".html", ".htm", ".xhtml"}
PLAIN = {
    ".md", ".markdown", ".mdx", ".txt", ".text", ".rst", ".org", ".adoc", ".tex", ".log",
    ".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".kt", ".c", ".h", ".cc", ".cpp",
    ".hpp", ".cs", ".rb", ".php", ".swift", ".scala", ".sh", ".sql", ".css", ".toml", ".ini",
}  # fmt: skip
_FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n---\s*\n", re.DOTALL)
_HEADING = re.compile(r"^#\s+(.+?)\s*#*\s*$", re.MULTILINE)


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


async def read_file(path: Path) -> FileText:
    """Read a file of any of the formats that Quire knows.

    Raises:
        UnreadableError: it cannot be read, is too large, or holds no text.
    """
    try:
        size = (await asyncio.to_thread(path.stat)).st_size
        if size > LARGEST_FILE:
            raise UnreadableError(f"it is larger than {LARGEST_FILE // 2**20} MB")
        if size == 0:
            raise UnreadableError("it is empty")
        data = await asyncio.to_thread(path.read_bytes)
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from error
    suffix = path.suffix.lower()
    if suffix in PAGES:
        found = await asyncio.to_thread(_page, data)
    elif suffix in PLAIN:
        found = await asyncio.to_thread(_plain, data)
    else:
        found = await _by_kreuzberg(path, data)
    if not any(character.isalnum() for character in found.text):
        raise UnreadableError("it holds no text")
    return found


def _plain(data: bytes) -> FileText:
    text = _decoded(data)
    told: dict[str, Any] = {}
    if front := _FRONT_MATTER.match(text):
        try:
            parsed = yaml.safe_load(front[1])
        except yaml.YAMLError:
            parsed = None
        if isinstance(parsed, dict):
            told, text = parsed, text[front.end() :]
    heading = _HEADING.search(text)
    return FileText(
        text=text,
        title=str(told.get("title") or (heading[1] if heading else "")),
        author=_names(told.get("author") or told.get("authors")),
        published=iso_date(str(told.get("date") or told.get("published") or "")),
        site=str(told.get("site") or ""),
    )


def _page(data: bytes) -> FileText:
    """The main content of a web page as Markdown, without menus and footers."""
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


async def _by_kreuzberg(path: Path, data: bytes) -> FileText:
    import kreuzberg  # noqa: PLC0415  (its extension is large; Markdown never needs it)

    try:
        kind = kreuzberg.detect_mime_type_from_path(path)
    except Exception as error:
        if b"\0" in data[:8192]:
            raise UnreadableError("there is no reader for this format") from error
        return await asyncio.to_thread(_plain, data)
    try:
        result = await kreuzberg.extract_bytes(data, kind, config=_config())
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise UnreadableError(f"it could not be read ({first[:160]})") from error
    told: Any = result.metadata
    return FileText(
        text=result.content,
        title=str(told.get("title") or ""),
        author=_names(told.get("authors") or told.get("author") or told.get("created_by")),
        published=iso_date(str(told.get("date") or told.get("created_at") or "")),
    )


@cache
def _config() -> Any:
    import kreuzberg  # noqa: PLC0415

    return kreuzberg.ExtractionConfig(output_format="markdown", use_cache=False)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        best = from_bytes(data).best()
        if best is None:
            raise UnreadableError("its character encoding is not known") from None
        return str(best)


def _names(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(name) for name in value if name)
    return str(value or "")
