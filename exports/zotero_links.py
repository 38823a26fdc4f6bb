"""Which items of Zotero a report cites."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from schema.report import Citation

_DOCUMENT = re.compile(
    r"zotero://(users|groups)/(\d+)(?:/collections/[A-Z0-9]{8})?/([A-Z0-9]{8})(?:/annotations)?",
    re.ASCII,
)


class ZoteroItem(NamedTuple):
    """An item that a reference was read from; `library` is as in `users/475425`."""

    library: str
    key: str

    @property
    def address(self) -> str:
        """What shows it in the desktop app."""
        place = "library" if self.library.startswith("users/") else self.library
        return f"zotero://select/{place}/items/{self.key}"


def find_items(citations: Iterable[Citation]) -> dict[int, ZoteroItem]:
    """The item of each reference that was read from one, by its number."""
    return {
        one["number"]: ZoteroItem(f"{found[1]}/{found[2]}", found[3])
        for one in citations
        if (found := _DOCUMENT.fullmatch(one["document"]))
    }


def find_select_links(citations: Iterable[Citation]) -> dict[int, str]:
    """What shows the item of a reference in the desktop app, by the reference's number."""
    return {number: item.address for number, item in find_items(citations).items()}
