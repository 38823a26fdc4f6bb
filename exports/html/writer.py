"""Pandoc's document tree as HTML: text, structure, and links to web pages or places in the page."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from exports.html.cards import Cards
from exports.html.escaping import escape_html
from exports.tree.nodes import PandocNode
from exports.web_links import is_web

_TAGS = {"Strong": "strong", "Emph": "em", "Strikeout": "s", "BlockQuote": "blockquote"}
_BREAKS = {"LineBreak": "<br>\n", "HorizontalRule": "<hr>\n"}
_ALIGNMENTS = {"AlignLeft": "left", "AlignRight": "right", "AlignCenter": "center"}


class TreeWriter:
    """Writes nodes as HTML. All text is escaped, and nothing but the tags named here is written."""

    def __init__(self, cards: Cards, chart: Callable[[int, str], str], table_label: str) -> None:
        """Make a writer.

        Args:
            cards: writes citation markers.
            chart: the HTML of a chart for its position and the HTML of the markers behind it.
            table_label: what a screen reader calls a table.
        """
        self._cards = cards
        self._render_chart = chart
        self._table_label = escape_html(table_label)
        self._doubts: list[str] = []

    def write(self, nodes: Iterable[PandocNode]) -> str:
        """Nodes as HTML."""
        return "".join(self._write_node(one["t"], one.get("c")) for one in nodes)

    def _write_node(self, kind: str, content: Any) -> str:
        match kind:
            case "Str" | "SoftBreak":
                return self._write_text("\n" if content is None else content)
            case "Code":
                return f"<code>{self._write_text(content[1])}</code>"
            case "Doubt":
                self._doubts = [*self._doubts, content] if content != "end" else self._doubts[:-1]
                return ""
            case "Link":
                return self._write_link(*content)
            case "Para" | "Plain":
                return self._write_sentences("p" if kind == "Para" else "", content)
            case "Header":
                return self._write_sentences(f"h{content[0] + 1}", content[2])
            case "CodeBlock":
                return f"<pre><code>{escape_html(content[1])}\n</code></pre>\n"
            case "BulletList":
                return f"<ul>\n{self._write_items(content)}</ul>\n"
            case "OrderedList":
                return f'<ol start="{content[0][0]}">\n{self._write_items(content[1])}</ol>\n'
            case "Table":
                return self._write_table(content)
            case "ChartFigure":
                return self._render_chart(content[0], self.write(content[1]))
        if kind in _BREAKS:
            return _BREAKS[kind]
        return f"<{_TAGS[kind]}>{self.write(content)}</{_TAGS[kind]}>"

    def _write_text(self, text: str) -> str:
        escaped = escape_html(text)
        doubt = self._doubts[-1] if self._doubts else ""
        return f'<span class="doubt {doubt}">{escaped}</span>' if doubt else escaped

    def _write_sentences(self, tag: str, inlines: Sequence[PandocNode]) -> str:
        """Inlines, with which a doubtful sentence ends, even where its end stands in code."""
        written = self.write(inlines)
        self._doubts = []
        return f"<{tag}>{written}</{tag}>\n" if tag else written

    def _write_link(
        self, attributes: list[Any], inlines: Sequence[PandocNode], target: list[str]
    ) -> str:
        if attributes[0]:  # a citation marker, by its position
            return self._cards.render_marker(int(attributes[0]), inlines[0]["c"])
        rel = ' rel="noopener nofollow"' if is_web(target[0]) else ""
        return f'<a href="{escape_html(target[0])}"{rel}>{self.write(inlines)}</a>'

    def _write_items(self, items: Sequence[Sequence[PandocNode]]) -> str:
        return "".join(f"<li>{self.write(blocks)}</li>\n" for blocks in items)

    def _write_table(self, content: list[Any]) -> str:
        _, _, columns, head, bodies, _ = content
        aligned = [_ALIGNMENTS.get(column[0]["t"], "") for column in columns]
        classes = [f' class="to-{one}"' if one else "" for one in aligned]
        return (
            f'<div class="scroll" role="group" aria-label="{self._table_label}"><table>\n<thead>'
            f"{self._write_rows(head[1], classes, 'th')}</thead>\n"
            f"<tbody>{self._write_rows(bodies[0][3], classes, 'td')}</tbody>\n</table></div>\n"
        )

    def _write_rows(self, rows: Sequence[Any], classes: Sequence[str], tag: str) -> str:
        written = ""
        for _, cells in rows:
            written += "<tr>"
            for cell, aligned in zip(cells, classes, strict=True):
                inner = self.write(cell[4][0]["c"]) if cell[4] else ""
                name = tag if inner else "td"  # an empty cell is no heading
                scope = ' scope="col"' if name == "th" else ""
                written += f"<{name}{scope}{aligned}>{inner}</{name}>"
            written += "</tr>\n"
            self._doubts = []
        return written
