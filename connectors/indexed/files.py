"""`files`: files and folders of this machine, indexed in the library."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal
from urllib.parse import unquote_to_bytes, urlsplit

from connectors.protocol import Limits, Since
from connectors.reading.file_text import UnreadableError
from connectors.reading.to_text import read_file
from retrieval.symbols import code_language
from schema.documents import Change, Document, Gone, Skipped, Unchanged
from schema.errors import InputError
from schema.search import Filters

IGNORED = {"node_modules", "__pycache__", "venv"}
"""Folders that hold no documents of the user's; those whose name begins with a dot neither."""

PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".ico"}
"""Files that stand by the hundred beside pages and hold no text, mostly: one line tells of all."""


class Files:
    """Reads folders deeply, follows no links to folders, and remembers a file's size and time."""

    name = "files"
    kind: Literal["indexed"] = "indexed"
    reads = "files and folders of this machine"
    document = "a file: its `file:` uri, its own title, author and date, the address of its page"
    needs = ()
    package = ""
    languages = ()
    limits = Limits(concurrency=1)

    def filters(self, paths: Sequence[str]) -> Filters:
        """The documents of this connector, at or below the paths if there are any."""
        return Filters(connectors=[self.name], under=[_uri(Path(path)) for path in paths])

    async def root(self, place: str) -> str:
        """Uri of a file or folder that exists and can be read.

        Raises:
            InputError: it does not or cannot.
        """
        await asyncio.to_thread(_check, place)
        return await asyncio.to_thread(_uri, Path(place))

    async def sync(self, since: Since) -> AsyncIterator[Change]:
        """Every file at or below the root, then what is gone. Unchanged files are not opened.

        What lies in a folder that may not be listed is neither seen nor gone.

        Raises:
            InputError: a folder that nothing came from before holds no file.
        """
        known, seen, closed = since.versions, set[str](), list[str]()
        pictures = list[Skipped]()
        paths, errors = await asyncio.to_thread(_files, since.root)
        if not (paths or errors or known):
            message = f"The folder {since.place} holds no files: name one that does."
            raise InputError(message)
        for error in errors:
            place = Path(error.filename)
            closed.append(f"{place.as_uri()}/")
            reason = f"{_shown(place.name)}: {error.strerror}"
            yield Skipped(uri=place.as_uri(), reason=reason)
        for path in paths:
            uri = path.as_uri()
            seen.add(uri)
            change = await _change(path, uri, known.get(uri))
            if isinstance(change, Skipped) and path.suffix.lower() in PICTURES:
                pictures.append(change)
            else:
                yield change
        if pictures:
            more = f" ({len(pictures) - 1} more pictures)" if len(pictures) > 1 else ""
            yield replace(pictures[0], reason=f"{pictures[0].reason}{more}")
        for uri in sorted(known.keys() - seen):
            if not uri.startswith(tuple(closed)):
                yield Gone(uri=uri)


def _check(place: str) -> None:
    if not _exists(place):
        raise InputError(f"There is no file or folder {place}: check the path.")
    path = Path(place).expanduser()
    if not os.access(path, os.R_OK):
        raise InputError(f"{place} may not be read: check its permissions.")


async def _change(path: Path, uri: str, known: str | None) -> Change:
    try:
        status = await asyncio.to_thread(path.stat)
        version = f"{status.st_mtime_ns}-{status.st_size}"
        if version == known:
            return Unchanged(uri=uri)
        found = await read_file(path)
    except UnreadableError as error:
        return Skipped(uri=uri, reason=f"{_shown(path.name)}: {error}")
    except OSError as error:
        return Skipped(uri=uri, reason=f"{_shown(path.name)}: {error.strerror}")
    return Document(
        uri=uri,
        url=uri,
        text=found.text,
        connector=Files.name,
        title=_shown(path.name) if code_language(uri) else found.title or _shown(path.stem),
        author=found.author,
        site=found.site,
        published=found.published,
        version=version,
        aliases=found.aliases,
        superseded=found.superseded,
    )


def _exists(place: str) -> bool:
    try:
        path = Path(place).expanduser()
        return path.is_file() or path.is_dir()
    except PermissionError as error:
        raise InputError(f"{place} may not be read: check its permissions.") from error
    except (OSError, RuntimeError):  # a name that is too long, a home that nobody has
        return False


def _files(root: str) -> tuple[list[Path], list[OSError]]:
    """The files at or below a uri, in order, and what there could not be listed or followed."""
    errors: list[OSError] = []
    top = Path(os.fsdecode(unquote_to_bytes(urlsplit(root).path)))
    paths = sorted(_walk(top, errors.append))
    vanished = FileNotFoundError | NotADirectoryError
    return paths, [error for error in errors if not isinstance(error, vanished)]


def _walk(top: Path, on_error: Callable[[OSError], None] = lambda _: None) -> Iterator[Path]:
    if top.is_file():
        yield top
        return
    for folder, names, files in os.walk(top, onerror=on_error):
        names[:] = [n for n in names if n not in IGNORED and not n.startswith(".")]
        for path in (Path(folder, name) for name in files if not name.startswith(".")):
            if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(top):
                on_error(OSError(0, "it is a link that leads out of the folder", str(path)))
            else:
                yield path


def _uri(path: Path) -> str:
    return path.expanduser().resolve().as_uri()


def _shown(name: str) -> str:
    """A name without the surrogates that stand for bytes which are no UTF-8."""
    return os.fsencode(name).decode(errors="replace")
