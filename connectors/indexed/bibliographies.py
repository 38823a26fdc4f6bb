"""Bibliographies among files: a document for each entry, and for each file that an entry names."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from connectors.files.bibliography.entries import BibEntry, find_files, read_bibliography
from connectors.files.extract import read_file
from connectors.files.file_state import find_version, to_printable
from connectors.files.file_text import UnreadableError
from schema.documents import Change, Document, Skipped


class HeldEntry(NamedTuple):
    """A document to be: an entry, or one of its files; `path` is None for the entry itself."""

    uri: str
    version: str
    entry: BibEntry
    path: Path | None
    bibliography: Path


@dataclass
class Held:
    """What bibliographies hold.

    `paths` are the bibliographies and the files that their entries name: they are no files like
    others. `skipped` says what of them could not be read.
    """

    entries: list[HeldEntry] = field(default_factory=list)
    paths: set[Path] = field(default_factory=set)
    skipped: list[Skipped] = field(default_factory=list)


def list_bibliographies(paths: Sequence[Path]) -> Held:
    """What the bibliographies among files hold. It reads them, and looks at the files they name."""
    held = Held()
    for path in paths:
        try:
            found = read_bibliography(path)
        except OSError as error:
            reason = f"{to_printable(path.name)}: {error.strerror}"
            held.skipped.append(Skipped(uri=path.as_uri(), reason=reason))
            held.paths.add(path)
            continue
        if found is None or not any(found):
            continue
        held.paths.add(path)
        _add_entries(held, path, found[0])
        if failures := found[1]:
            several = "entries" if failures > 1 else "entry"
            reason = f"{to_printable(path.name)}: {failures} {several} could not be read"
            held.skipped.append(Skipped(uri=path.as_uri(), reason=reason))
    return held


def _add_entries(held: Held, path: Path, entries: Sequence[BibEntry]) -> None:
    folder, root = path.parent, path.as_uri()
    for entry in entries:
        uri = f"{root}/{quote(entry.key, safe='', errors='replace')}"
        held.entries.append(HeldEntry(uri, entry.version, entry, None, path))
        for file in find_files(entry, folder):
            place = file.relative_to(folder.resolve()).as_posix()
            version = f"{entry.version} {find_version(file)}"
            name = quote(place, safe="", errors="replace")
            held.entries.append(HeldEntry(f"{uri}/{name}", version, entry, file, path))
            held.paths.add(file)


async def read_entry(held: HeldEntry, connector: str) -> Change:
    """The document of an entry, or of a file, which its entry describes."""
    entry, text = held.entry, held.entry.text
    if held.path:
        try:
            text = (await read_file(held.path)).text
        except UnreadableError as error:
            return Skipped(uri=held.uri, reason=f"{to_printable(held.path.name)}: {error}")
    return Document(
        uri=held.uri,
        url=entry.address or (held.path or held.bibliography).as_uri(),
        title=entry.title,
        author=entry.author,
        site=entry.site,
        text=text,
        connector=connector,
        published=entry.published,
        version=held.version,
        aliases=tuple(filter(None, (entry.key, entry.doi))) if not held.path else (),
    )
