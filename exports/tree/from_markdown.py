"""A section's Markdown as nodes of Pandoc's tree.

The text was written from fetched pages. HTML in it stays text, an address that is no web page is no
link, and no image is loaded: one that is not a chart of the report becomes a link.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from citations.markers import MARKER, parse_marker
from exports.citation_styles import CitationStyle
from exports.tree.nodes import (
    PandocNode,
    code,
    code_block,
    collect_text,
    heading,
    link,
    node,
    string,
    table,
)
from exports.tree.tokens import DOUBT, match_position, strip_tokens
from exports.web_links import is_web

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markdown_it.tree import SyntaxTreeNode

_CHART = re.compile(r"chart:(\d{1,4})")
_LANGUAGE = re.compile(r"[\w+#-]{1,20}", re.ASCII)
_MAX_DEPTH = 4
"""Lists and quotes within each other: LaTeX sets no more. What is deeper stands at this depth."""

_LOWEST_LEVEL = 3
_MAX_PAGE_DEPTH, _LOWEST_PAGE_LEVEL = 100, 5
_BREAKS = {"softbreak": "SoftBreak", "hardbreak": "LineBreak"}
_SPANS = {"strong": "Strong", "em": "Emph", "s": "Strikeout"}
_MAX_SPAN_DEPTH = 8
_MAX_NESTING = 50  # of the spans that are read at all

ChartBlockBuilder = Callable[[int, str, list[PandocNode]], list[PandocNode]]
"""Gives the blocks of a chart for its position in the report, its title and the markers behind it;
none where the report has no such chart."""


class SectionParser:
    """Parses the sections of one report."""

    def __init__(
        self,
        citing: CitationStyle,
        numbers: Collection[int],
        chart: ChartBlockBuilder,
        *,
        page: bool = False,
    ) -> None:
        """Make a parser.

        Args:
            citing: the style of the markers.
            numbers: of the references; other markers are text.
            chart: the blocks of a chart.
            page: whether the tree is for a web page, which sets what paper does not: any depth of
                lists and quotes, headings of every level, links to places in the page.
        """
        self._citation_style = citing
        self._numbers = numbers
        self._build_chart = chart
        self._page = page
        self._max_depth = _MAX_PAGE_DEPTH if page else _MAX_DEPTH
        self._lowest_level = _LOWEST_PAGE_LEVEL if page else _LOWEST_LEVEL
        self._parser = _make_parser(numbers)

    def parse_blocks(self, text: str, top: int = 2) -> list[PandocNode]:
        """The blocks of a text.

        Args:
            text: Markdown, with or without tokens.
            top: the level of its highest headings; lower ones follow.
        """
        blocks = _build_tree(self._parser.parse(text))
        levels = [int(one.tag[1]) for one in blocks.walk() if one.type == "heading"]
        return self._build_blocks(blocks.children, top - min(levels, default=0))

    def parse_inlines(self, text: str) -> list[PandocNode]:
        """The inlines of a line, such as a sentence with its markers."""
        lines = _build_tree(self._parser.parseInline(text))
        return _replace_charts(self._build_inlines(lines.children))

    def build_table(self, rows: Sequence[Sequence[str]]) -> list[PandocNode]:
        """The values of a chart; a cell that is a marker leads to its reference."""
        cells = [[self._build_cell(value) for value in row] for row in rows]
        return [table(cells)] if cells else []

    def build_marker(self, number: int) -> list[PandocNode]:
        """One marker as a link to its entry of the reference list."""
        return self._build_markers([(number, "")])

    def _build_cell(self, value: str) -> list[PandocNode]:
        number = parse_marker(value)
        if number is None or number not in self._numbers:
            return [string(value)]
        return self.build_marker(number)

    def _build_markers(self, found: Sequence[tuple[int, str]]) -> list[PandocNode]:
        positions = iter(found)
        return [
            string(text)
            if number is None
            else link([string(text)], f"#source-{number}", next(positions)[1])
            for text, number in self._citation_style.build_pieces([number for number, _ in found])
        ]

    def _build_blocks(
        self, found: Sequence["SyntaxTreeNode"], shift: int, depth: int = 0
    ) -> list[PandocNode]:
        """The blocks of some, which stand in `depth` lists and quotes; headings `shift` lower."""
        return [block for one in found for block in self._build_block(one, shift, depth)]

    def _build_block(self, one: "SyntaxTreeNode", shift: int, depth: int) -> list[PandocNode]:
        """What a block becomes: usually one node, or its children where it is dropped."""
        if one.type == "paragraph":
            inlines = self._build_inlines(one.children)
            return list(self._split_paragraph(inlines, "Plain" if one.hidden else "Para"))
        if one.type == "heading":
            level = min(self._lowest_level, int(one.tag[1]) + shift)
            return [heading(level, _replace_charts(self._build_inlines(one.children)))]
        if one.type == "table":
            rows = [row.children for part in one.children for row in part.children]
            cells = [
                [_replace_charts(self._build_inlines(c.children)) for c in row] for row in rows
            ]
            aligned = [str(cell.attrs.get("style", "")) for cell in rows[0]]
            return [table(cells, [style.removeprefix("text-align:") for style in aligned])]
        if one.type == "hr":
            return [node("HorizontalRule")]
        if one.type in ("fence", "code_block"):
            language = _LANGUAGE.match(one.info)
            content = strip_tokens(one.content).rstrip("\n")
            return [code_block(content, language[0] if language else "")]
        if depth >= self._max_depth:
            return list(map(_to_paragraph, self._build_blocks(one.children, shift, depth)))
        if one.type == "blockquote":
            return [node("BlockQuote", self._build_blocks(one.children, shift, depth + 1))]
        items = [self._build_blocks(item.children, shift, depth + 1) for item in one.children]
        if one.type == "bullet_list":
            return [node("BulletList", items)]
        style = [int(one.attrs.get("start", 1)), node("Decimal"), node("Period")]
        return [node("OrderedList", [style, items])]

    def _split_paragraph(self, inlines: list[PandocNode], kind: str) -> Iterable[PandocNode]:
        """A paragraph; a chart in it stands by itself, with the markers that follow it."""
        runs = [list(run) for _, run in groupby(inlines, lambda one: one["t"] == "Chart")]
        for at, run in enumerate(runs):
            if run[0]["t"] != "Chart":
                if not (_is_only_markers(run) and at) and collect_text(run).strip():
                    yield node(kind, run)
                continue
            after = runs[at + 1] if at + 1 < len(runs) else []
            for one in run:
                position, title = one["c"]
                sources = after if one is run[-1] and _is_only_markers(after) else []
                drawn = self._build_chart(position, title, sources)
                yield from drawn or [node(kind, [string(title), *sources])]

    def _build_inlines(
        self, found: Iterable["SyntaxTreeNode"], depth: int = 0, *, linked: bool = False
    ) -> list[PandocNode]:
        """The inlines of some, which stand in `depth` spans, and in a link if they are `linked`."""
        return [inline for one in found for inline in self._build_inline(one, depth, linked)]

    def _build_inline(self, one: "SyntaxTreeNode", depth: int, linked: bool) -> list[PandocNode]:
        if one.type == "marker":  # a link itself; those of a link stand behind it
            return [] if linked else self._build_markers(one.meta["found"])
        if one.type == "code_inline":
            return [code(strip_tokens(one.content))]
        if one.type in _BREAKS:
            return [node(_BREAKS[one.type])]
        if one.type == "image":
            return _build_image(one)
        if one.type == "text":
            return list(_split_doubt(one.content))
        inner = self._build_inlines(one.children, depth + 1, linked=linked or one.type == "link")
        if one.type == "link":
            address = strip_tokens(str(one.attrs.get("href", "")))
            markers = [marker for marker in one.walk() if marker.type == "marker"]
            if is_web(address) or (self._page and address.startswith("#")):
                inner = [link(_remove_links(inner), address)]
            return [*inner, *self._build_inlines(markers)]
        if one.type == "inline" or depth > _MAX_SPAN_DEPTH:
            return inner
        return [node(_SPANS[one.type], _replace_charts(inner))]


def _build_tree(tokens: Sequence["Token"]) -> "SyntaxTreeNode":
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415  (an extra)

    for token in tokens:
        if token.children:
            token.children = _drop_deep_spans(token.children)
    return SyntaxTreeNode(tokens)


def _drop_deep_spans(tokens: Sequence["Token"]) -> list["Token"]:
    """The tokens of a line; of spans in spans beyond `_MAX_NESTING`, what they hold.

    CommonMark knows no bound, and the tree is built by recursion.
    """
    kept, depth = [], 0
    for token in tokens:
        depth += token.nesting == 1
        if not token.nesting or depth <= _MAX_NESTING:
            kept.append(token)
        depth -= token.nesting == -1
    return kept


def _make_parser(numbers: Collection[int]) -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415  (an extra)

    def parse_markers(state: "StateInline", silent: bool) -> bool:
        """Known markers that stand side by side, as one token."""
        if silent:  # the end of a link is looked for, and a marker in its text is no link
            return False
        found: list[tuple[int, str]] = []
        at = state.pos
        while (match := MARKER.match(state.src, at)) and int(match[1]) in numbers:
            position, at = match_position(state.src, match.end())
            found.append((int(match[1]), position))
        if not found:
            return False
        state.push("marker", "", 0).meta = {"found": found}
        state.pos = at
        return True

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 100})
    # `[1]: so it is` would define a link and vanish, and every [1] would point to "so".
    parser.enable(["table", "strikethrough"]).disable("reference")
    parser.inline.ruler.before("link", "marker", parse_markers)
    return parser


def _split_doubt(text: str) -> Iterator[PandocNode]:
    """Text, and nodes where doubtful sentences in it begin and end."""
    for at, piece in enumerate(DOUBT.split(text)):
        if at % 2:
            yield node("Doubt", piece)
        elif piece := strip_tokens(piece):
            yield string(piece)


def _to_paragraph(block: PandocNode) -> PandocNode:
    return node("Para", block["c"]) if block["t"] == "Plain" else block


def _build_image(one: "SyntaxTreeNode") -> list[PandocNode]:
    address = strip_tokens(str(one.attrs.get("src", "")))
    title = strip_tokens("".join(child.content for child in one.children))
    if chart := _CHART.fullmatch(address):
        return [node("Chart", [int(chart[1]), title])]
    return [link([string(title or address)], address) if is_web(address) else string(title)]


def _is_only_markers(inlines: list[PandocNode]) -> bool:
    """Whether there are only markers, and what stands between them."""
    return not any(
        any(map(str.isalnum, collect_text([one])))
        for one in inlines
        if one["t"] != "Link" or not one["c"][2][0].startswith("#source-")
    )


def _replace_charts(inlines: Iterable[PandocNode]) -> list[PandocNode]:
    """Inlines where a chart cannot stand: its title does."""
    return [string(one["c"][1]) if one["t"] == "Chart" else one for one in inlines]


def _remove_links(inlines: Iterable[PandocNode]) -> list[PandocNode]:
    """Inlines of a link, which holds no other."""
    found: list[PandocNode] = []
    for one in _replace_charts(inlines):
        found += one["c"][1] if one["t"] == "Link" else [one]
    return found
