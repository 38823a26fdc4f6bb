"""A section's Markdown as HTML that holds nothing but text, structure and links to web pages."""

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from exports.addresses import is_web
from exports.html_marks import SIGN, TOKEN, Mark, token, untokenised

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_CHART = re.compile(r"chart:(\d{1,4})")
_NOT_IN_HTML = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ESCAPED_TOKEN = re.compile(f"{quote('⟦' + SIGN)}([mcse][0-9]+){quote('⟧')}")
_TAGS = {
    *("blockquote", "hr", "li", "ol", "p", "pre", "ul", "h2", "h3", "h4", "h5", "h6"),
    *("table", "tbody", "td", "th", "thead", "tr"),
    *("a", "br", "code", "em", "s", "strong"),
}
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "td": {"style"}, "th": {"style"}}
_LOWEST = 6


def escaped(text: str) -> str:
    """Text for an element or an attribute in double quotes."""
    return html.escape(_clean(text).replace(SIGN, ""))


def link(text: str, address: str) -> str:
    """A link to a web page; the text alone where the address is none."""
    if not is_web(address):
        return escaped(text)
    return f'<a href="{escaped(address)}" rel="noopener nofollow">{escaped(text)}</a>'


def section_html(text: str, marks: Mapping[int, Mark], top: int) -> str:
    """Read a section.

    Args:
        text: its Markdown, with tokens in the place of its marks.
        marks: of the report, by place.
        top: the level, from 2 to 6, of its highest headings; lower ones follow.

    Returns:
        HTML without classes, ids, scripts, styles and images. Tokens of marks, charts and doubtful
        sentences stand in it as text.
    """
    parser = _parser()
    tokens = parser.parse(_clean(text))
    levels = [int(one.tag[1]) for one in tokens if one.type == "heading_open"]
    for one in tokens:
        if one.type in ("heading_open", "heading_close"):
            one.tag = f"h{min(_LOWEST, int(one.tag[1]) - min(levels) + top)}"
        elif one.type in ("fence", "code_block"):
            one.content, one.info = untokenised(one.content, marks), ""
        elif one.children:
            one.children = list(_inlines(one.children, marks))
    return _sanitised(parser.renderer.render(tokens, parser.options, {}))


def line_html(text: str, marks: Mapping[int, Mark]) -> str:
    """Read one line, such as a sentence: as `section_html`, without blocks."""
    parser = _parser()
    tokens = parser.parseInline(_clean(text))
    for one in tokens:
        one.children = list(_inlines(one.children or [], marks))
    return _sanitised(parser.renderer.render(tokens, parser.options, {}))


def _inlines(found: Iterable["Token"], marks: Mapping[int, Mark]) -> Iterator["Token"]:
    """The inlines: marks of a link behind it, charts as tokens, other images as links."""
    open_links: list[bool] = []  # whether each leads anywhere
    behind = ""
    for one in found:
        if one.type == "code_inline":
            one.content = untokenised(one.content, marks)
        elif one.type == "image":
            one = _image(one, marks)  # noqa: PLW2901
        elif one.type == "link_open":
            escaped_tokens = _ESCAPED_TOKEN.sub(rf"⟦{SIGN}\1⟧", str(one.attrs["href"]))
            address = untokenised(escaped_tokens, marks)
            one.attrs = {"href": address}
            open_links.append(is_web(address) or address.startswith("#"))
            if not open_links[-1]:
                continue
        elif one.type == "text" and open_links:
            behind += "".join(match[0] for match in TOKEN.finditer(one.content))
            one.content = TOKEN.sub("", one.content)
        if one.type != "link_close":
            yield one
            continue
        if open_links.pop():
            yield one
        if behind and not open_links:
            yield _text(behind)
            behind = ""


def _image(one: "Token", marks: Mapping[int, Mark]) -> "Token":
    """No image is loaded: a chart is a token, any other image its description."""
    if chart := _CHART.fullmatch(str(one.attrs.get("src", ""))):
        return _text(token("c", int(chart[1])))
    return _text(untokenised("".join(child.content for child in one.children or []), marks))


def _text(content: str) -> "Token":
    from markdown_it.token import Token  # noqa: PLC0415  (an extra)

    return Token("text", "", 0, content=content)


def _clean(text: str) -> str:
    """A text without the signs that HTML cannot hold."""
    return _NOT_IN_HTML.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415  (an extra)

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 100})
    # a definition `[1]: so it is` would vanish
    parser.enable(["table", "strikethrough"]).disable("reference")
    return parser


def _sanitised(made: str) -> str:
    import nh3  # noqa: PLC0415  (an extra)

    how: dict[str, Any] = {"tags": _TAGS, "attributes": _ATTRIBUTES}
    return nh3.clean(
        made,
        filter_style_properties={"text-align"},
        url_schemes={"http", "https"},
        link_rel="noopener nofollow",
        **how,
    )
