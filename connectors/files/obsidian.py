"""Notes of an Obsidian vault: what their front matter says, what they are called, where they lead.

A folder with `.obsidian` in it is a vault. Its notes are known by the names of their files, which
links of the form `[[Name]]` say. A note that another embeds is a document itself, so it is linked
to and not repeated where it is embedded: one text would stand behind a claim twice.
"""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from connectors.files.dates import iso_date
from connectors.files.encoding import decode
from connectors.files.extract import read_file
from connectors.files.file_text import FileText, UnreadableError
from connectors.files.front_matter import split_front_matter

MARK = ".obsidian"
"""The folder that makes the one around it a vault; what is in it are settings."""
NOTE_SUFFIXES = (".md", ".markdown")
MAX_NAMES = 50
"""Aliases, or tags, of one note."""

_EMBED = re.compile(r"!(\[\[[^\[\]|\n#^]+)((?:[#^][^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\])")
_FILE_SUFFIX = re.compile(r"\.(?!md\Z)[A-Za-z0-9]{2,5}\Z")
_DATES = ("date", "published", "created")


def make_vault_finder() -> Callable[[Path], Path | None]:
    """What finds the vault that a file lies in, the nearest one; each folder is looked at once."""

    @cache
    def find(folder: Path) -> Path | None:
        try:
            if (folder / MARK).is_dir():
                return folder
        except OSError:  # a folder that may not be entered
            return None
        return find(folder.parent) if folder.parent != folder else None

    return lambda path: find(path.parent)


async def read_note(path: Path, vault: Path) -> FileText:
    """A note as Obsidian has it.

    Raises:
        UnreadableError: it cannot be read, or holds no text.
    """
    found = await read_file(path)  # within its bounds; its front matter is read again below
    text = decode(await asyncio.to_thread(path.read_bytes))
    if text is None:
        raise UnreadableError("its character encoding is not known")
    told, body = split_front_matter(text)
    body = _EMBED.sub(_link_embed, body)
    tags = [tag.lstrip("#") for tag in _list_words(told.get("tags"), told.get("tag"))]
    names = [*_list_words(told.get("aliases"), told.get("alias"), split=False)]
    place = path.relative_to(vault).with_suffix("").as_posix()
    date = next(filter(None, (iso_date(str(told.get(name) or "")) for name in _DATES)), "")
    title = told.get("title")
    return replace(
        found,
        text=f"{body.rstrip()}\n\nTags: {', '.join(tags)}\n" if tags else body,
        title=title.strip() if isinstance(title, str) and title.strip() else path.stem,
        published=found.published or date,
        aliases=tuple(dict.fromkeys([path.stem, place, *names])),
    )


def make_note_url(path: Path, vault: Path) -> str:
    """The address that opens a note in Obsidian."""
    place = path.relative_to(vault).as_posix()
    return f"obsidian://open?vault={quote(vault.name, safe='')}&file={quote(place, safe='')}"


def _link_embed(found: re.Match[str]) -> str:
    """A link in place of an embedded note; a picture or another file stays embedded."""
    is_file = _FILE_SUFFIX.search(found[1].strip())
    return found[0] if is_file else found[1] + found[2]


def _list_words(*given: Any, split: bool = True) -> list[str]:
    """Names given as a list, or as a text, in which commas or spaces may stand between them."""
    words = list[str]()
    for value in given:
        several = value if isinstance(value, list) else [value]
        for one in several:
            if isinstance(one, str):
                words += re.split(r"[,\s]+" if split else r",", one)
    return [word.strip() for word in words if word.strip()][:MAX_NAMES]
