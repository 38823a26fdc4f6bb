"""`files`: files and folders of this machine, indexed in the library."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from connectors.files.extract import read_file
from connectors.files.file_text import UnreadableError
from connectors.http.prefetch import prefetch
from connectors.protocol import Limits, SyncingConnector, SyncState
from retrieval.code.symbols import detect_code_language
from schema.documents import Change, Document, Gone, Skipped, Unchanged
from schema.errors import InputError
from schema.search import Filters

IGNORED = {"node_modules", "__pycache__", "venv"}
"""Folders that hold no documents of the user's; those whose name begins with a dot neither."""

PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".ico"}
"""Files that stand by the hundred beside pages and hold no text, mostly: one line tells of all."""

LOOKED_AT = 1_000
"""Files whose state is asked for in one go."""

READ_AT_ONCE = min(4, os.cpu_count() or 1) + 1
"""Files under way: one for each child that reads, and one that is taken from the disk meanwhile."""


class Files(SyncingConnector):
    """Reads folders deeply, follows no links to folders, and remembers a file's size and times."""

    name = "files"
    description = "files and folders of this machine"
    document_description = (
        "a file: its `file:` uri, its own title, author and date, the address of its page"
    )
    limits = Limits(concurrency=1)

    def filters(self, paths: Sequence[str]) -> Filters:
        """The documents of this connector, at or below the paths if there are any."""
        return Filters(connectors=[self.name], under=[_to_uri(Path(path)) for path in paths])

    async def find_root(self, location: str) -> str:
        """Uri of a file or folder that exists and can be read.

        Raises:
            InputError: it does not or cannot.
        """
        await asyncio.to_thread(_check_readable, location)
        return await asyncio.to_thread(_to_uri, Path(location))

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """Every file at or below the root, then what is gone. Unchanged files are not opened.

        What lies in a folder that may not be listed is neither seen nor gone.

        Raises:
            InputError: a folder that nothing came from before holds no file.
        """
        known, seen, closed = since.versions, set[str](), list[str]()
        pictures = list[Skipped]()
        paths, errors = await asyncio.to_thread(_list_files, since.root)
        if not (paths or errors or known):
            message = f"The folder {since.location} holds no files: name one that does."
            raise InputError(message)
        for error in errors:
            path = Path(error.filename)
            closed.append(f"{path.as_uri()}/")
            reason = f"{_to_printable(path.name)}: {error.strerror}"
            yield Skipped(uri=path.as_uri(), reason=reason)
        for start in range(0, len(paths), LOOKED_AT):
            changed = list[_File]()
            for file in await asyncio.to_thread(_look_at, paths[start : start + LOOKED_AT]):
                seen.add(file.uri)
                if file.version and file.version == known.get(file.uri):
                    yield Unchanged(uri=file.uri)
                else:
                    changed.append(file)
            async for change in prefetch(changed, _read_change, READ_AT_ONCE):
                if isinstance(change, Skipped) and Path(change.uri).suffix.lower() in PICTURES:
                    pictures.append(change)
                else:
                    yield change
        if pictures:
            more = f" ({len(pictures) - 1} more pictures)" if len(pictures) > 1 else ""
            yield replace(pictures[0], reason=f"{pictures[0].reason}{more}")
        for uri in sorted(known.keys() - seen):
            if not uri.startswith(tuple(closed)):
                yield Gone(uri=uri)


def _check_readable(location: str) -> None:
    if not _exists(location):
        raise InputError(f"There is no file or folder {location}: check the path.")
    path = Path(location).expanduser()
    if not os.access(path, os.R_OK):
        raise InputError(f"{location} may not be read: check its permissions.")


class _File(NamedTuple):
    """A file, and what changes with its content; empty where the file cannot be looked at."""

    path: Path
    uri: str
    version: str


def _look_at(paths: Sequence[Path]) -> list[_File]:
    return [_File(path, path.as_uri(), _find_version(path)) for path in paths]


def _find_version(path: Path) -> str:
    """The times of the content and of the entry, which nobody can set back, and the size."""
    try:
        state = path.stat()
    except OSError:
        return ""
    return f"{state.st_mtime_ns}-{state.st_ctime_ns}-{state.st_size}"


async def _read_change(file: _File) -> Change:
    path, uri, version = file
    try:
        found = await read_file(path)
    except UnreadableError as error:
        return Skipped(uri=uri, reason=f"{_to_printable(path.name)}: {error}")
    return Document(
        uri=uri,
        url=uri,
        text=found.text,
        connector=Files.name,
        title=_to_printable(path.name)
        if detect_code_language(uri)
        else found.title or _to_printable(path.stem),
        author=found.author,
        site=found.site,
        published=found.published,
        version=version,
        aliases=found.aliases,
        superseded=found.superseded,
    )


def _exists(location: str) -> bool:
    try:
        path = Path(location).expanduser()
        return path.is_file() or path.is_dir()
    except PermissionError as error:
        raise InputError(f"{location} may not be read: check its permissions.") from error
    except (OSError, RuntimeError):  # a name that is too long, a home that nobody has
        return False


def _list_files(root: str) -> tuple[list[Path], list[OSError]]:
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


def _to_uri(path: Path) -> str:
    return path.expanduser().resolve().as_uri()


def _to_printable(name: str) -> str:
    """A name without the surrogates that stand for bytes which are no UTF-8."""
    return os.fsencode(name).decode(errors="replace")
