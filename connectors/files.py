"""`files`: files and folders of this machine, indexed in the library."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from connectors.to_text import UnreadableError, read_file
from library.search import Filters
from schema.documents import Change, Document, Gone, Skipped, Unchanged
from schema.errors import InputError

IGNORED = {"node_modules", "__pycache__", "venv"}
"""Folders that hold no documents of the user's; those whose name begins with a dot neither."""


class Files:
    """Reads folders deeply, follows no links to folders, and remembers a file's size and time."""

    name = "files"
    kind: Literal["indexed"] = "indexed"

    def missing(self) -> str:
        """Nothing: files need no key."""
        return ""

    def filters(self, paths: Sequence[str]) -> Filters:
        """The documents of this connector, at or below the paths if there are any."""
        return Filters(connectors=[self.name], under=[_uri(Path(path)) for path in paths])

    def roots(self, places: Sequence[str]) -> list[str]:
        """Uris of files and folders that exist and can be read.

        Raises:
            InputError: one does not, or a folder holds no file.
        """
        for place in places:
            path = Path(place).expanduser()
            if not path.exists():
                raise InputError(f"There is no file or folder {place}: check the path.")
            if not os.access(path, os.R_OK):
                raise InputError(f"{place} may not be read: check its permissions.")
            if path.is_dir() and next(_walk(path), None) is None:
                raise InputError(f"The folder {place} holds no files: name one that does.")
        return [_uri(Path(place)) for place in places]

    async def sync(self, roots: Sequence[str], known: Mapping[str, str]) -> AsyncIterator[Change]:
        """Every file at or below the roots, then what is gone. Unchanged files are not opened."""
        seen: set[str] = set()
        for root in roots:
            for path in await asyncio.to_thread(_files, root):
                uri = path.as_uri()
                if uri not in seen:
                    seen.add(uri)
                    yield await _change(path, uri, known.get(uri))
        for uri in sorted(known.keys() - seen):
            yield Gone(uri=uri)


async def _change(path: Path, uri: str, known: str | None) -> Change:
    try:
        status = await asyncio.to_thread(path.stat)
        version = f"{status.st_mtime_ns}-{status.st_size}"
        if version == known:
            return Unchanged(uri=uri)
        found = await read_file(path)
    except (UnreadableError, OSError) as error:
        return Skipped(uri=uri, reason=f"{path.name}: {error}")
    return Document(
        uri=uri,
        url=uri,
        text=found.text,
        connector=Files.name,
        title=found.title or path.stem,
        author=found.author,
        site=found.site,
        published=found.published,
        version=version,
    )


def _files(root: str) -> list[Path]:
    """The files at or below a uri, in order."""
    return sorted(_walk(Path(unquote(urlsplit(root).path))))


def _walk(top: Path) -> Iterator[Path]:
    if top.is_file():
        yield top
        return
    for folder, names, files in os.walk(top):
        names[:] = [n for n in names if n not in IGNORED and not n.startswith(".")]
        yield from (Path(folder, name) for name in files if not name.startswith("."))


def _uri(path: Path) -> str:
    return path.expanduser().resolve().as_uri()
