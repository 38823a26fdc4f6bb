"""Nodes of Pandoc's document tree, as its JSON writes them (pandoc-types 1.23).

DOCX and LaTeX are written from this tree by Pandoc, PDF by `report.typ`. A tree holds text and
nothing that any of them would run: no node of raw markup is ever made.
"""

from collections.abc import Sequence
from typing import Any

Node = dict[str, Any]
"""A node: its type `t`, and what it holds, `c`."""

_ALIGNMENTS = {"left": "AlignLeft", "right": "AlignRight", "center": "AlignCenter"}
_NO_ATTRIBUTES: list[Any] = ["", [], []]
_WIDE = 72
"""Characters of a row from which on columns share the width of the page."""


def node(kind: str, content: Any = None) -> Node:
    """A node of any type."""
    return {"t": kind} if content is None else {"t": kind, "c": content}


def string(text: str) -> Node:
    """Text, as it is."""
    return node("Str", text)


def paragraph(*inlines: Node) -> Node:
    """A paragraph."""
    return node("Para", list(inlines))


def bullets(items: Sequence[Sequence[Node]]) -> Node:
    """A list of lines."""
    return node("BulletList", [[node("Plain", list(item))] for item in items])


def heading(level: int, inlines: Sequence[Node], anchor: str = "") -> Node:
    """A heading; 1 is that of a section."""
    return node("Header", [level, [anchor, [], []], list(inlines)])


def link(inlines: Sequence[Node], target: str) -> Node:
    """A link to an address, or to the anchor that follows a `#`."""
    return node("Link", [_NO_ATTRIBUTES, list(inlines), [target, ""]])


def code(text: str) -> Node:
    """Code within a line."""
    return node("Code", [_NO_ATTRIBUTES, text])


def code_block(text: str, language: str = "") -> Node:
    """Lines of code."""
    return node("CodeBlock", [["", [language] if language else [], []], text])


def division(kind: str, blocks: Sequence[Node], anchor: str = "", style: str = "") -> Node:
    """Blocks that belong together, of a `kind`; `style` is that of Word for their paragraphs."""
    return node("Div", [[anchor, [kind], [["custom-style", style]] if style else []], list(blocks)])


def figure(source: str, words: str, caption: Sequence[Node]) -> Node:
    """An image by its address, with `words` for who cannot see it."""
    size = ["", [], [["width", "90%"]]]
    image = node("Image", [size, [string(words)], [source, ""]])
    return node(
        "Figure",
        [_NO_ATTRIBUTES, [None, [node("Plain", list(caption))]], [node("Plain", [image])]],
    )


def table(
    rows: Sequence[Sequence[Sequence[Node]]], alignments: Sequence[str] = (), *, head: bool = True
) -> Node:
    """A table.

    Args:
        rows: of cells of inlines, at least one.
        alignments: of the columns: left, right, center; none is given as "".
        head: whether the first row is the table's head.
    """
    columns = len(rows[0])
    cells = [list(row)[:columns] + [[]] * (columns - len(row)) for row in rows]
    widths = [max(sum(map(_length, row[at])) for row in cells) for at in range(columns)]
    found = [*alignments, *[""] * columns][:columns]
    specs = [
        [node(_ALIGNMENTS.get(alignment, "AlignDefault")), _width(width, sum(widths))]
        for alignment, width in zip(found, widths, strict=True)
    ]
    body = [_row(row) for row in cells]
    return node(
        "Table",
        [
            _NO_ATTRIBUTES,
            [None, []],
            specs,
            [_NO_ATTRIBUTES, body[:head]],
            [[_NO_ATTRIBUTES, 0, [], body[head:]]],
            [_NO_ATTRIBUTES, []],
        ],
    )


def text_of(inlines: Sequence[Node]) -> str:
    """The text of inlines, without what is made of it."""
    return "".join(map(_text, inlines))


def _text(inline: Node) -> str:
    content = inline.get("c", "")
    if inline["t"] == "Chart":
        return str(content[1])
    if inline["t"] == "Str":
        return str(content)
    if inline["t"] == "Code":
        return str(content[1])
    if inline["t"] in ("SoftBreak", "LineBreak"):
        return " "
    return text_of(content[1] if inline["t"] in ("Link", "Image") else content)


def _length(inline: Node) -> int:
    return len(_text(inline))


def _width(width: int, all_: int) -> Node:
    return (
        node("ColWidth", round(max(width / all_, 0.05), 3))
        if all_ > _WIDE
        else node("ColWidthDefault")
    )


def _row(cells: Sequence[Sequence[Node]]) -> list[Any]:
    return [
        _NO_ATTRIBUTES,
        [
            [
                _NO_ATTRIBUTES,
                node("AlignDefault"),
                1,
                1,
                [node("Plain", list(cell))] if cell else [],
            ]
            for cell in cells
        ],
    ]
