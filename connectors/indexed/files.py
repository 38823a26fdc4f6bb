"""`files`: files and folders of this machine, indexed in the library.

A bibliography is a document for each of its entries, with the files of the entry; notes of an
Obsidian vault are known by their names there.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from connectors.files.extract import read_file
from connectors.files.file_state import find_version, to_printable
from connectors.files.file_text import UnreadableError
from connectors.files.obsidian import NOTE_SUFFIXES, make_note_url, make_vault_finder, read_note
from connectors.http.prefetch import prefetch
from connectors.indexed.bibliographies import Held, HeldEntry, list_bibliographies, read_entry
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
        "a file, or an entry of a bibliography: its `file:` uri, its own title, author and date, "
        "the address of its page"
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
            reason = f"{to_printable(path.name)}: {error.strerror}"
            yield Skipped(uri=path.as_uri(), reason=reason)
        held = await asyncio.to_thread(list_bibliographies, paths)
        async for change in _sync_bibliographies(held, known):
            yield change
        seen |= {entry.uri for entry in held.entries}
        closed += [f"{one.uri}/" for one in held.skipped]
        paths = [path for path in paths if path not in held.paths]
        find_vault = make_vault_finder()
        for start in range(0, len(paths), LOOKED_AT):
            changed = list[_File]()
            some = paths[start : start + LOOKED_AT]
            for file in await asyncio.to_thread(_look_at, some, find_vault):
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
        gone = [uri for uri in known.keys() - seen if not uri.startswith(tuple(closed))]
        for uri in sorted(gone):
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
    vault: Path | None
    """The Obsidian vault that it is a note of."""


def _look_at(paths: Sequence[Path], find_vault: Callable[[Path], Path | None]) -> list[_File]:
    return [
        _File(
            path,
            path.as_uri(),
            find_version(path),
            find_vault(path) if path.suffix.lower() in NOTE_SUFFIXES else None,
        )
        for path in paths
    ]


async def _sync_bibliographies(held: Held, known: Mapping[str, str]) -> AsyncIterator[Change]:
    """What became of the entries of bibliographies and of their files."""
    for skipped in held.skipped:
        yield skipped
    for entry in held.entries:
        if known.get(entry.uri) == entry.version:
            yield Unchanged(uri=entry.uri)
    new = [entry for entry in held.entries if known.get(entry.uri) != entry.version]
    async for change in prefetch(new, _read_bibliography_entry, READ_AT_ONCE):
        yield change


async def _read_bibliography_entry(entry: HeldEntry) -> Change:
    return await read_entry(entry, Files.name)


async def _read_change(file: _File) -> Change:
    path, uri, version, vault = file
    try:
        found = await (read_note(path, vault) if vault else read_file(path))
    except UnreadableError as error:
        return Skipped(uri=uri, reason=f"{to_printable(path.name)}: {error}")
    return Document(
        uri=uri,
        url=make_note_url(path, vault) if vault else uri,
        text=found.text,
        connector=Files.name,
        title=to_printable(path.name)
        if detect_code_language(uri)
        else found.title or to_printable(path.stem),
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
