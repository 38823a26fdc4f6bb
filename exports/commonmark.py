"""A section's Markdown as nodes of Pandoc's tree.

The text was written from fetched pages. HTML in it stays text, an address that is no web page is no
link, and no image is loaded: one that is not a chart of the report becomes a link.
"""

import re
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from exports.addresses import is_web
from exports.pandoc_tree import (
    Node,
    code,
    code_block,
    heading,
    link,
    node,
    string,
    table,
    text_of,
)
from exports.styles import CitationStyle, Piece

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_MARK = re.compile(r"\[(\d{1,9})\]")
_CHART = re.compile(r"chart:(\d{1,4})")
_LANGUAGE = re.compile(r"[\w+#-]{1,20}", re.ASCII)
_CONTAINERS = ("bullet_list_open", "ordered_list_open", "blockquote_open")
_DEEPEST = 4
"""Lists and quotes within each other: LaTeX sets no more. What is deeper stands at this depth."""

_SPANS = {"strong": "Strong", "em": "Emph", "s": "Strikeout"}
_DEEPEST_SPAN = 8

Drawn = Callable[[int, str, list[Node]], list[Node]]
"""Gives the blocks of a chart for its place in the report, its title and the marks behind it; none
where the report has no such chart."""


class SectionReader:
    """Reads the sections of one report."""

    def __init__(self, citing: CitationStyle, numbers: Iterable[int], chart: Drawn) -> None:
        """Make a reader.

        Args:
            citing: the style of the marks.
            numbers: of the references; other marks are text.
            chart: the blocks of a chart.
        """
        self._citing = citing
        self._chart = chart
        self._parser = _parser(frozenset(numbers))

    def blocks(self, text: str) -> list[Node]:
        """The blocks of a text; its headings are below that of the section."""
        stack: list[tuple[Token | None, list[Node]]] = [(None, [])]
        for token in self._parser.parse(text):
            if token.nesting == 1:
                stack.append((token, []))
            elif token.nesting == 0:
                stack[-1][1].extend(self._leaf(token))
            else:
                opened, children = stack.pop()
                assert opened is not None  # noqa: S101  (markdown-it closes what it opened)
                around = sum(one is not None and one.type in _CONTAINERS for one, _ in stack)
                stack[-1][1].extend(self._block(opened, children, deep=around >= _DEEPEST))
        return stack[0][1]

    def inlines(self, text: str) -> list[Node]:
        """The inlines of a line, such as a sentence with its marks."""
        return [
            inline
            for token in self._parser.parseInline(text)
            for inline in _without_charts(self._inlines(token.children or []))
        ]

    def _leaf(self, token: "Token") -> list[Node]:
        if token.type == "inline":
            return self._inlines(token.children or [])
        if token.type == "hr":
            return [node("HorizontalRule")]
        language = _LANGUAGE.match(token.info)
        return [code_block(token.content.rstrip("\n"), language[0] if language else "")]

    def _block(self, opened: "Token", children: list[Node], *, deep: bool) -> list[Node]:
        """What a block becomes: usually one node, or its children where it is dropped."""
        kind = opened.type.removesuffix("_open")
        if kind == "paragraph":
            return list(self._paragraphs(children, "Plain" if opened.hidden else "Para"))
        if kind == "heading":
            return [heading(min(max(2, int(opened.tag[1]) - 1), 3), _without_charts(children))]
        if kind in ("td", "th"):
            alignment = str(opened.attrs.get("style", "")).removeprefix("text-align:")
            return [node("Cell", [alignment, _without_charts(children)])]
        if kind in ("tr", "list_item"):
            return [node(kind, children)]
        if kind == "table":
            rows = [[cell["c"] for cell in row["c"]] for row in children]
            return [
                table([[inlines for _, inlines in row] for row in rows], [a for a, _ in rows[0]])
            ]
        if kind == "blockquote" and not deep:
            return [node("BlockQuote", children)]
        if kind in ("bullet_list", "ordered_list"):
            items = [item["c"] for item in children]
            if deep:
                return [_spaced(block) for blocks in items for block in blocks]
            if kind == "bullet_list":
                return [node("BulletList", items)]
            style = [int(opened.attrs.get("start", 1)), node("Decimal"), node("Period")]
            return [node("OrderedList", [style, items])]
        return children  # thead, tbody, and a quote that is too deep

    def _paragraphs(self, inlines: list[Node], kind: str) -> Iterable[Node]:
        """A paragraph; a chart in it stands by itself, with the marks that follow it."""
        runs = [list(run) for _, run in groupby(inlines, lambda one: one["t"] == "Chart")]
        for at, run in enumerate(runs):
            if run[0]["t"] != "Chart":
                if not (_is_marks(run) and at) and text_of(run).strip():
                    yield node(kind, run)
                continue
            after = runs[at + 1] if at + 1 < len(runs) else []
            for one in run:
                place, title = one["c"]
                sources = after if one is run[-1] and _is_marks(after) else []
                drawn = self._chart(place, title, sources)
                yield from drawn or [node(kind, [string(title), *sources])]

    def _inlines(self, tokens: Iterable["Token"]) -> list[Node]:
        stack: list[tuple[Token | None, list[Node]]] = [(None, [])]
        for token in tokens:
            if token.nesting == 1:
                stack.append((token, []))
            elif token.nesting == 0:
                stack[-1][1].extend(self._inline(token))
            else:
                opened, children = stack.pop()
                assert opened is not None  # noqa: S101  (markdown-it closes what it opened)
                stack[-1][1].extend(_span(opened, children, deep=len(stack) > _DEEPEST_SPAN))
        return stack[0][1]

    def _inline(self, token: "Token") -> list[Node]:
        if token.type == "mark":
            return marks(self._citing.pieces(token.meta["numbers"]))
        if token.type == "code_inline":
            return [code(token.content)]
        if token.type == "softbreak":
            return [node("SoftBreak")]
        if token.type == "hardbreak":
            return [node("LineBreak")]
        if token.type == "image":
            return _image(token)
        return [string(token.content)] if token.content else []


def marks(pieces: Iterable[Piece]) -> list[Node]:
    """Marks as links to the entries of the reference list."""
    return [
        string(text) if number is None else link([string(text)], f"#source-{number}")
        for text, number in pieces
    ]


def _parser(numbers: frozenset[int]) -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415  (an extra)

    def mark(state: "StateInline", silent: bool) -> bool:
        """Known marks that stand side by side, as one token."""
        if silent:  # the end of a link is looked for, and a mark in its text is no link
            return False
        found: list[int] = []
        at = state.pos
        while (match := _MARK.match(state.src, at)) and int(match[1]) in numbers:
            found.append(int(match[1]))
            at = match.end()
        if not found:
            return False
        state.push("mark", "", 0).meta = {"numbers": found}
        state.pos = at
        return True

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 100})
    # `[1]: so it is` would define a link and vanish, and every [1] would point to "so".
    parser.enable(["table", "strikethrough"]).disable("reference")
    parser.inline.ruler.before("link", "mark", mark)
    return parser


def _spaced(block: Node) -> Node:
    return node("Para", block["c"]) if block["t"] == "Plain" else block


def _span(opened: "Token", children: list[Node], *, deep: bool) -> list[Node]:
    kind = opened.type.removesuffix("_open")
    if kind == "link":
        address = str(opened.attrs.get("href", ""))
        return [link(_unlinked(children), address)] if is_web(address) else children
    return children if deep else [node(_SPANS[kind], _without_charts(children))]


def _image(token: "Token") -> list[Node]:
    address = str(token.attrs.get("src", ""))
    title = "".join(child.content for child in token.children or [])
    if chart := _CHART.fullmatch(address):
        return [node("Chart", [int(chart[1]), title])]
    return [link([string(title or address)], address) if is_web(address) else string(title)]


def _is_marks(inlines: list[Node]) -> bool:
    """Whether there are only marks, and what stands between them."""
    return not any(
        any(map(str.isalnum, text_of([one])))
        for one in inlines
        if one["t"] != "Link" or not one["c"][2][0].startswith("#")
    )


def _without_charts(inlines: Iterable[Node]) -> list[Node]:
    """Inlines where a chart cannot stand: its title does."""
    return [string(one["c"][1]) if one["t"] == "Chart" else one for one in inlines]


def _unlinked(inlines: Iterable[Node]) -> list[Node]:
    """Inlines of a link, which holds no other."""
    found: list[Node] = []
    for one in _without_charts(inlines):
        found += one["c"][1] if one["t"] == "Link" else [one]
    return found
