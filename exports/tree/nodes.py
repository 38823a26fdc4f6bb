"""Nodes of Pandoc's document tree, as its JSON writes them (pandoc-types 1.23).

DOCX and LaTeX are written from this tree by Pandoc, PDF by `report.typ`, HTML by `exports.html`. A
tree holds text and nothing that any of them would run: no node of raw markup is ever made.
"""

from collections.abc import Sequence
from typing import Any

PandocNode = dict[str, Any]
"""A node: its type `t`, and what it holds, `c`."""

_ALIGNMENTS = {"left": "AlignLeft", "right": "AlignRight", "center": "AlignCenter"}
_NO_ATTRIBUTES: list[Any] = ["", [], []]
_WIDE_ROW = 72
"""Characters of a row from which on columns share the width of the page."""


def node(kind: str, content: Any = None) -> PandocNode:
    """A node of any type."""
    return {"t": kind} if content is None else {"t": kind, "c": content}


def string(text: str) -> PandocNode:
    """Text, as it is."""
    return node("Str", text)


def paragraph(*inlines: PandocNode) -> PandocNode:
    """A paragraph."""
    return node("Para", list(inlines))


def bullet_list(items: Sequence[Sequence[PandocNode]]) -> PandocNode:
    """A list of lines."""
    return node("BulletList", [[node("Plain", list(item))] for item in items])


def heading(level: int, inlines: Sequence[PandocNode], anchor: str = "") -> PandocNode:
    """A heading; 1 is that of a section."""
    return node("Header", [level, [anchor, [], []], list(inlines)])


def link(inlines: Sequence[PandocNode], target: str, anchor: str = "") -> PandocNode:
    """A link to an address, or to the anchor that follows a `#`; it may be an anchor itself."""
    return node("Link", [[anchor, [], []], list(inlines), [target, ""]])


def code(text: str) -> PandocNode:
    """Code within a line."""
    return node("Code", [_NO_ATTRIBUTES, text])


def code_block(text: str, language: str = "") -> PandocNode:
    """Lines of code."""
    return node("CodeBlock", [["", [language] if language else [], []], text])


def division(
    kind: str, blocks: Sequence[PandocNode], anchor: str = "", style: str = ""
) -> PandocNode:
    """Blocks that belong together, of a `kind`; `style` is that of Word for their paragraphs."""
    return node("Div", [[anchor, [kind], [["custom-style", style]] if style else []], list(blocks)])


def figure(source: str, words: str, caption: Sequence[PandocNode]) -> PandocNode:
    """An image by its address, with `words` for who cannot see it."""
    size = ["", [], [["width", "90%"]]]
    image = node("Image", [size, [string(words)], [source, ""]])
    return node(
        "Figure",
        [_NO_ATTRIBUTES, [None, [node("Plain", list(caption))]], [node("Plain", [image])]],
    )


def table(
    rows: Sequence[Sequence[Sequence[PandocNode]]],
    alignments: Sequence[str] = (),
    *,
    head: bool = True,
) -> PandocNode:
    """A table.

    Args:
        rows: of cells of inlines, at least one.
        alignments: of the columns: left, right, center; none is given as "".
        head: whether the first row is the table's head.
    """
    columns = len(rows[0])
    cells = [list(row)[:columns] + [[]] * (columns - len(row)) for row in rows]
    widths = [max(sum(map(_count_characters, row[at])) for row in cells) for at in range(columns)]
    found = [*alignments, *[""] * columns][:columns]
    specs = [
        [node(_ALIGNMENTS.get(alignment, "AlignDefault")), _make_width(width, sum(widths))]
        for alignment, width in zip(found, widths, strict=True)
    ]
    body = [_make_row(row) for row in cells]
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


def collect_text(inlines: Sequence[PandocNode]) -> str:
    """The text of inlines, without what is made of it."""
    return "".join(map(_read_inline, inlines))


def _read_inline(inline: PandocNode) -> str:
    content = inline.get("c", "")
    if inline["t"] == "Str":
        return str(content)
    if inline["t"] in ("Chart", "Code"):
        return str(content[1])
    if inline["t"] == "Doubt":
        return ""
    if inline["t"] in ("SoftBreak", "LineBreak"):
        return " "
    return collect_text(content[1] if inline["t"] in ("Link", "Image") else content)


def _count_characters(inline: PandocNode) -> int:
    return len(_read_inline(inline))


def _make_width(width: int, all_: int) -> PandocNode:
    if all_ <= _WIDE_ROW:
        return node("ColWidthDefault")
    return node("ColWidth", round(max(width / all_, 0.05), 3))


def _make_row(cells: Sequence[Sequence[PandocNode]]) -> list[Any]:
    filled = ([node("Plain", list(cell))] if cell else [] for cell in cells)
    return [_NO_ATTRIBUTES, [[_NO_ATTRIBUTES, node("AlignDefault"), 1, 1, one] for one in filled]]
