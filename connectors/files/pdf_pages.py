"""Where the pages of a PDF begin in its text: a form feed stands before each but the first."""

from collections.abc import Iterable, Mapping
from typing import Any

from schema.documents import PAGE_BREAK

_LOOKED_AT = 60
"""Letters and digits of a block by which it is found in the text."""

_LEAST = 8
"""Letters and digits that a block needs for that; a page number alone would be found anywhere."""

_AHEAD = 5_000
"""Letters and digits after the last block found in which the next is looked for."""


def mark_pages(text: str, blocks: Iterable[Mapping[str, Any]]) -> str:
    """The text with a line of form feeds where a page begins, one for each page begun since.

    Of a paragraph that goes on over the page the whole counts as on its first one.

    Args:
        text: Markdown.
        blocks: the nodes of kreuzberg's document structure, in the order of the text: each with its
            `page`, from 1, and in `content` its `text` without markup.
    """
    places = [place for place, character in enumerate(text) if character.isalnum()]
    letters = "".join(text[place] for place in places)
    page, at = 1, 0
    parts, done = [], 0
    for block in blocks:
        words = _pick_letters(block["content"].get("text", ""))
        found = letters.find(words, at, at + _AHEAD + len(words)) if len(words) >= _LEAST else -1
        if found < 0:
            continue
        at = found
        begun = block.get("page") or page
        if begun > page:
            line = text.rfind("\n", 0, places[found]) + 1
            parts += [text[done:line], PAGE_BREAK * (begun - page), "\n"]
            page, done = begun, line
    return "".join([*parts, text[done:]])


def _pick_letters(text: str) -> str:
    return "".join(filter(str.isalnum, text[: 4 * _LOOKED_AT]))[:_LOOKED_AT]
