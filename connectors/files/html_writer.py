"""The main content of a web page as Markdown: headings, lists, terms, tables and code.

Links and pictures are left out, and characters stand as they are, as what is quoted must.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from connectors.files.html_code import UNSEEN, read_code
from connectors.files.html_table import read_rows
from connectors.files.main_content import MainContent, heads_box
from connectors.files.markdown import fence_code, format_table

MAX_DEPTH = 100
"""Elements inside each other; what is deeper stands as plain text."""
LEAST_SHARE = 0.1
"""Of the main text's characters; what is left of a page without its menus is more."""
MAX_INDENT = 16
"""Characters; lists that are deeper stand below each other."""

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = {
    "address", "article", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "legend",
    "li", "main", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "ul", *_HEADINGS,
}  # fmt: skip
_MARKS = {
    "b": "**", "strong": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "strike": "~~",
    "code": "`", "kbd": "`", "samp": "`", "tt": "`",
}  # fmt: skip
_POWERS = str.maketrans("23", "²³")
_TEX = './/*[local-name()="annotation"][@encoding="application/x-tex"]'
_OF_HEADINGS = "li and not(li[not(.//h1|.//h2|.//h3|.//h4|.//h5|.//h6)])"
_STRUCTURE = re.compile(r"(?=#{1,6}(?:\s|$)|```|~~~)")
_PERMALINK = re.compile(r"[\s¶§#🔗\u200b]+\Z")


def write_markdown(main: MainContent) -> str:
    """The text of the main content; "" where it has none."""
    text = _write_once(main)
    if len(text) < LEAST_SHARE * main.characters:  # the page is there for its links
        text = _write_once(replace(main, kept=set(main.element.iter())))
    return text


def _write_once(main: MainContent) -> str:
    writer = _Writer(main)
    for title in main.titles:
        writer.write_heading(title)
    writer.write_children(main.element)
    return writer.finish()


class _Writer:
    """Writes block after block; what is inside a paragraph is gathered until it ends."""

    def __init__(self, main: MainContent) -> None:
        self._main = main
        self._lines = list[str]()
        self._inline = list[str]()
        self._indent = ""
        self._lead = ""  # what stands before the next block in place of the indent, as `- `
        self._term = ""  # what stands before the next paragraph, as `**term**: `
        self._is_tight = True  # the next block follows without an empty line
        self._flat = 0  # inside cells, terms and headings nothing is a block
        self._depth = 0
        self._paragraphs = 0
        self._handlers: dict[str, Callable[[Any], None]] = {
            **dict.fromkeys(_HEADINGS, self.write_heading),
            **dict.fromkeys(_MARKS, self._write_marked),
            **dict.fromkeys(("ul", "ol"), self._write_list),
            "br": lambda _: self._inline.append("\n"),
            "dl": self._write_definitions,
            "blockquote": self._write_quote,
            "math": self._write_formula,
            "pre": self._write_code,
            "q": self._write_quotation,
            "summary": self._write_summary,
            "sup": self._write_raised,
            "table": self._write_table,
        }

    def finish(self) -> str:
        """All that was written."""
        self._end_paragraph()
        return "\n".join(self._lines)

    def write_children(self, element: Any) -> None:
        """Write what is in an element."""
        self._add_text(element.text)
        for child in element:
            if not self._main.is_boilerplate(child):
                self._write_element(child)
            self._add_text(child.tail)

    def _write_element(self, element: Any) -> None:
        if self._depth >= MAX_DEPTH:
            self._add_text(" ".join(element.itertext()))
            return
        self._depth += 1
        tag = element.tag
        is_block = tag in _BLOCKS
        if is_block:
            self._end_paragraph()
        handle = self._handlers.get(tag)
        if handle is None or (self._flat and is_block):
            self.write_children(element)
        else:
            handle(element)
        if is_block:
            self._end_paragraph()
        self._depth -= 1

    def _add_text(self, text: str | None) -> None:
        if text:
            self._inline.append(UNSEEN.sub("", text).replace("\n", " ").replace("\r", " "))

    def _end_paragraph(self) -> None:
        """Write what was gathered as a paragraph."""
        if self._flat:
            self._inline.append(" ")
        elif self._inline:
            lines = _join_lines("".join(self._inline))
            self._inline.clear()
            self._paragraphs += 1
            if lines:
                lines = [_STRUCTURE.sub(r"\\", line, count=1) for line in lines]
                lines[:1], self._term = (self._term + lines[0]).split("\n"), ""
                self._write_block(lines)

    def _write_term(self) -> None:
        """Write the term that waits for its definition, where that begins with no paragraph."""
        if self._term:
            term, self._term = self._term.rstrip(), ""
            self._write_block(term.split("\n"))

    def _write_block(self, lines: list[str]) -> None:
        self._write_term()
        if not self._is_tight:
            self._lines.append(self._indent.rstrip())
        for line in lines:
            self._lines.append(((self._lead or self._indent) + line).rstrip())
            self._lead = ""
        self._is_tight = False

    def _take_text(self, element: Any) -> str:
        """What an element holds as one line."""
        outer, self._inline = self._inline, []
        self._flat += 1
        self.write_children(element)
        self._flat -= 1
        text = " ".join("".join(self._inline).split())
        self._inline = outer
        return text

    def write_heading(self, element: Any) -> None:
        """Write a heading, unless it is empty; inside a list, quote or box it heads no section."""
        if text := _PERMALINK.sub("", self._take_text(element)).replace("**", ""):
            level = "#" * _HEADINGS[element.tag]
            heads_section = not (self._indent or heads_box(element))
            self._write_block([f"{level} {text}" if heads_section else f"**{text}**"])

    def _write_summary(self, element: Any) -> None:
        if text := self._take_text(element).replace("**", ""):
            self._write_block([f"**{text}**"])

    def _write_marked(self, element: Any) -> None:
        """Emphasis or code inside a paragraph; an element that holds whole blocks has no marks."""
        start, paragraphs = len(self._inline), self._paragraphs
        self.write_children(element)
        if paragraphs != self._paragraphs:
            return
        text = "".join(self._inline[start:])
        bare, mark = text.strip(), _MARKS[element.tag]
        if bare and "\n" not in bare and mark[0] not in bare and bare[0] not in "`*~":
            before, _, after = text.partition(bare)
            self._inline[start:] = [before, mark, bare, mark, after]

    def _write_quotation(self, element: Any) -> None:
        self._inline.append("“")
        self.write_children(element)
        self._inline.append("”")

    def _write_raised(self, element: Any) -> None:
        """A power; marks of footnotes are left out, as only their links say what they mean."""
        if element.find(".//a") is not None:
            return
        text = self._take_text(element)
        before = self._inline[-1][-1:] if self._inline else ""
        if text in ("2", "3") and before.isalpha():
            text = text.translate(_POWERS)
        elif text[-1:].isdigit():
            text = f"^{text}"
        self._inline.append(text)

    def _write_formula(self, element: Any) -> None:
        found = element.xpath(_TEX)
        tex = (found[0].text if found else element.get("alttext")) or ""
        if tex.strip():
            self._inline.append(f"\\({' '.join(tex.split())}\\)")
        else:
            self.write_children(element)

    def _write_code(self, element: Any) -> None:
        if text := read_code(element):
            self._write_block(fence_code(text).split("\n"))

    def _write_table(self, element: Any) -> None:
        rows = read_rows(element)
        if rows is None:
            self.write_children(element)
            return
        if (caption := element.find("caption")) is not None:
            self._write_line(self._take_text(caption))
        cells = (
            [self._take_text(cell) if cell is not None else "" for cell in row] for row in rows
        )
        if table := format_table(cells):
            self._write_block(table.split("\n"))

    def _write_line(self, text: str) -> None:
        if text:
            self._write_block([text])

    def _write_list(self, element: Any) -> None:
        if element.xpath(_OF_HEADINGS):  # parts of a page, for whose layout a list was used
            self.write_children(element)
            return
        self._write_term()
        number = _read_start(element) if element.tag == "ol" else None
        self._is_tight = self._is_tight or bool(self._indent)
        self._add_text(element.text)
        for child in element:
            self._end_paragraph()
            if self._main.is_boilerplate(child):
                pass
            elif child.tag == "li":
                self._write_item(child, "- " if number is None else f"{number}. ")
                number = None if number is None else number + 1
            else:
                self._write_element(child)
            self._add_text(child.tail)
        self._end_paragraph()
        self._is_tight = False

    def _write_item(self, element: Any, marker: str) -> None:
        outer = self._indent
        self._lead = self._lead or outer
        self._lead += marker
        if len(outer) < MAX_INDENT:
            self._indent = outer + " " * len(marker)
        written = len(self._lines)
        self.write_children(element)
        self._end_paragraph()
        self._indent = outer
        if len(self._lines) == written:  # an empty item
            self._lead = ""
        self._is_tight = True

    def _write_quote(self, element: Any) -> None:
        outer = self._indent
        self._write_term()
        if len(outer) < MAX_INDENT:
            if not self._is_tight:
                self._lines.append(outer.rstrip())
                self._is_tight = True
            self._lead = f"{self._lead or outer}> "
            self._indent = f"{outer}> "
        self.write_children(element)
        self._end_paragraph()
        self._indent, self._lead = outer, ""

    def _write_definitions(self, element: Any) -> None:
        terms = list[str]()
        for child in _iterate_parts(element):
            if self._main.is_boilerplate(child):
                continue
            if child.tag == "dt":
                terms.append(f"**{self._take_text(child).replace('**', '')}**")
                continue
            if terms:
                self._write_term()
                self._term = "\n".join(terms) + ": "
                terms = []
            self.write_children(child)
            self._end_paragraph()
        self._write_term()
        if terms:
            self._write_block(terms)


def _iterate_parts(element: Any) -> Iterator[Any]:
    """Terms and definitions of a list, which may stand in groups."""
    for child in element:
        if child.tag == "div":
            yield from child
        else:
            yield child


def _join_lines(text: str) -> list[str]:
    """Lines of a paragraph, each without blanks around it; an empty one where two breaks stand."""
    lines = [" ".join(line.split()) for line in text.strip().split("\n")]
    return [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]


def _read_start(element: Any) -> int:
    start = element.get("start", "1")
    return int(start) if re.fullmatch(r"\d{1,6}", start, re.ASCII) else 1
