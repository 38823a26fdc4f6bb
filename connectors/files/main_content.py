"""Where the main content of a web page stands.

trafilatura tells main text from the rest, and loses headings, lists and terms on its way to a text.
So its text is looked up in the page again, and the element around it is written as a whole.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from connectors.files.html_table import read_rows

LEAST_PIECE = 8
"""Letters and digits of a piece of text that can be told from others by them."""
KEY_CHARACTERS = 24
"""Letters and digits of a piece that it is looked up by."""
LINKED_SHARE = 0.8
"""Of the characters of a menu that are links."""
TITLE_SHARE = 0.8
"""Of the characters of a frame that is there for a heading are the heading's."""
MENU_LINKS = 3
"""Links that make a menu of a block."""

NEVER_CONTENT = frozenset({
    "applet", "area", "audio", "button", "canvas", "datalist", "dialog", "embed", "fencedframe",
    "footer", "frame", "frameset", "head", "iframe", "img", "input", "link", "map", "marquee",
    "menu", "meta", "nav", "noindex", "noscript", "object", "optgroup", "option", "param",
    "picture", "progress", "rp", "rt", "script", "select", "source", "style", "svg", "template",
    "textarea", "title", "track", "use", "video",
})  # fmt: skip
"""Elements that hold controls, pictures, programs, or what leads elsewhere."""
_SELDOM_CONTENT = {"form", "aside", "header", "fieldset", "label", "legend"}
_NAVIGATION_ROLES = {
    "navigation", "search", "banner", "contentinfo", "menu", "menubar", "toolbar", "dialog",
    "alertdialog", "complementary",
}  # fmt: skip
_GROUPS = {"div", "section", "ul", "ol", "dl", "p", "table", "td", "span"}
_BLOCKS = {"ul", "ol", "dl", "table", "pre", "p", "blockquote"}
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_FRAMES = {
    "div", "main", "article", "section", "form", "center", "table", "tbody", "tr", "td", "html",
    "body",
}  # fmt: skip
_STRUCTURE = "boolean(.//h1|.//h2|.//h3|.//h4|.//h5|.//h6|.//li|.//dt|.//tr|.//pre|.//p)"
_CHROME = re.compile(
    r"(?:^|[\s_-])(?:(?:sub|top|main|site|side)?nav(?:bar|box|igation|header|footer|links)?|menus?|"
    r"sidebar|bread-?crumbs?|(?:site)?footer|cookies?|consent|gdpr|newsletter|subscribe|shar(?:e|ing)|"
    r"social|related|teasers?|pag(?:er|ination)|advert\w*|ads?|banner|toc|skip(?:link)?|linenos?|"
    r"line-?numbers|gutter|editsection|noprint)(?=$|[\s_-])"
)
_PAGE_FRAME = re.compile(r"(?:^|\s)nav(?:header|footer)(?=$|\s)")
"""Of what DocBook puts around a page, even where it says the page's title."""
_NOTE = re.compile(r"note|warning|caution|tip|important|admonition|example|callout")
_BOXES = {"note", "tip", "warning", "caution", "important", "admonition", "callout", "example"}
"""Classes of boxes that stand beside the text of a section."""
_NO_LETTERS = re.compile(r"[\W_]+")
_HIDDEN = re.compile(r"display:\s?none|visibility:\s?hidden")


@dataclass(frozen=True)
class MainContent:
    """The element that holds the main text.

    Attributes:
        element: of the page's tree.
        kept: elements inside that hold main text, as trafilatura tells it.
        declared: whether the page itself calls the element its main one.
        titles: headings that stand before the element, and over all that are in it.
        characters: of the main text, as trafilatura tells it.
    """

    element: Any
    kept: set[Any]
    declared: bool
    titles: list[Any]
    characters: int

    def is_boilerplate(self, element: Any) -> bool:
        """Whether an element inside is no content: a menu, a banner, a control."""
        tag = element.tag
        if tag in NEVER_CONTENT:
            return True
        if _PAGE_FRAME.search(element.get("class", "")):
            return True
        if element in self.kept:
            return False
        attributes = element.attrib
        if attributes and tag not in _HEADINGS and _is_marked(element):
            return True
        if "hidden" in attributes or attributes.get("aria-hidden") == "true":
            return bool(tag != "math")
        if _HIDDEN.search(attributes.get("style", "")[:200]):
            return True
        if tag in _SELDOM_CONTENT:
            return not (
                _is_note(element) or (tag == "header" and _find_heading(element) is not None)
            )
        return bool(tag in _GROUPS) and (self._is_left_out(element) or _is_menu(element))

    def _is_left_out(self, element: Any) -> bool:
        """Whether it is bare text in a frame of its own, which trafilatura saw and did not take."""
        return not self.declared and element.tag == "div" and not element.xpath(_STRUCTURE)


def find_main_content(tree: Any) -> MainContent | None:
    """The main content of a page; None where it has none.

    Takes time in proportion to the page, besides what trafilatura takes.
    """
    import trafilatura  # noqa: PLC0415  (0.2 s)

    body = next(tree.iter("body"), None)
    if body is None:
        return None
    found: Any = trafilatura.bare_extraction(tree, include_links=True)
    parts = [part for part in (found.body, found.commentsbody) if part is not None] if found else []
    pieces = [piece for part in parts for piece in part.itertext()]
    is_flat = bool(parts) and len(parts[0]) == 1  # all text that there is, menus too, line by line
    if is_flat:
        pieces += [line for piece in pieces for line in piece.split("\n")[1:]]
    holders = _find_holders(body, Counter(map(_get_key, pieces)), links=not is_flat)
    kept = _add_ancestors(holders)
    declared, element = _find_element(body, kept, set(holders))
    return MainContent(
        element, kept, declared, _find_titles(body, element), len(found.text or "") if found else 0
    )


def _find_holders(body: Any, texts: Counter[str], *, links: bool) -> list[Any]:
    """The elements, or those that are no `links`, whose text is among texts, counted by keys.

    A menu may say the same as a heading that it leads to, so the text of a link counts only where
    the page says it no more often than the texts do.
    """
    pieces = [(key, one) for one, text in _iterate_texts(body) if (key := _get_key(text)) in texts]
    told = Counter(key for key, _ in pieces)
    return [
        one
        for key, one in pieces
        if key and (not _is_linked(one) or (links and told[key] <= texts[key]))
    ]


def _get_key(text: str | None) -> str:
    """What a piece of text is looked up by; "" for one that is too short to be told from others."""
    key = _NO_LETTERS.sub("", (text or "")[: 4 * KEY_CHARACTERS])[:KEY_CHARACTERS]
    if not key.isascii():
        key = unicodedata.normalize("NFC", key)
    return key if len(key) >= LEAST_PIECE else ""


def _iterate_texts(body: Any) -> Iterator[tuple[Any, str | None]]:
    """Each piece of text with the element that it stands in, in no order."""
    waiting = [body]
    while waiting:
        element = waiting.pop()
        yield element, element.text
        for child in element:
            yield element, child.tail
            if child.tag not in NEVER_CONTENT:
                waiting.append(child)


def _is_linked(element: Any) -> bool:
    parent = element.getparent()
    return element.tag == "a" or (parent is not None and parent.tag == "a")


def _add_ancestors(elements: list[Any]) -> set[Any]:
    found = set[Any]()
    for element in elements:
        above = element
        while above is not None and above not in found:
            found.add(above)
            above = above.getparent()
    return found


def _find_element(body: Any, kept: set[Any], holders: set[Any]) -> tuple[bool, Any]:
    """The innermost element around all that is kept that the page declares, else any.

    Frames are left for what they hold unless blocks of content stand beside it.
    """
    element, declared = body, None
    while element not in holders:
        inside = [child for child in element if child in kept]
        if len(inside) != 1 or inside[0].tag not in _FRAMES:
            break
        if inside[0].tag == "table" and read_rows(inside[0]) is not None:
            break
        if declared is None and _has_content_beside(inside[0]):
            break
        element = inside[0]
        if element.tag in ("main", "article") or element.get("role") == "main":
            declared = element
    return declared is not None, element if declared is None else declared


def _has_content_beside(element: Any) -> bool:
    """Whether blocks of text stand beside an element, or headings behind it."""
    behind = list(element.itersiblings())
    return any(one.tag in _HEADINGS for one in behind) or any(
        one.tag in _BLOCKS and one.text_content().strip() and not _is_menu(one)
        for one in (*behind, *element.itersiblings(preceding=True))
    )


def _find_titles(body: Any, element: Any) -> list[Any]:
    """Headings before an element that are above all headings in it, in the page's order."""
    found = list[Any]()
    inside = _find_heading(element)
    highest = "h7" if inside is None else inside.tag
    while element is not body and element is not None:
        for before in element.itersiblings(preceding=True):
            heading = _find_heading(before)
            if heading is not None and heading.tag < highest and _is_title(heading, before):
                found.append(heading)
        element = element.getparent()
    return found[::-1]


def _find_heading(element: Any) -> Any:
    """The first of the highest headings in an element, or itself; None where there is none."""
    return next((one for name in _HEADINGS for one in element.iter(name)), None)


def _is_title(heading: Any, frame: Any) -> bool:
    """Whether a frame is there for a heading in it, and that is no logo."""
    if frame.tag in NEVER_CONTENT or frame.tag == "aside" or _is_marked(frame):
        return False
    is_logo = heading.find(".//a[@href='/']") is not None
    return not is_logo and (_count_characters(heading) >= TITLE_SHARE * _count_characters(frame))


def _is_menu(element: Any) -> bool:
    """Whether a block is little but links."""
    links = element.findall(".//a")
    if len(links) < MENU_LINKS:
        return False
    linked = sum(_count_characters(link) for link in links)
    return linked >= LINKED_SHARE * _count_characters(element)


def _count_characters(element: Any) -> int:
    return len(str(element.xpath("normalize-space(.)")))


def _is_marked(element: Any) -> bool:
    """Whether what the page calls an element says that it leads elsewhere."""
    return _leads_elsewhere(
        element.get("class", ""), element.get("id", ""), element.get("role", "")
    )


@lru_cache(maxsize=4096)
def _leads_elsewhere(names: str, identifier: str, role: str) -> bool:
    said = f"{names} {identifier}".casefold()[:500]
    return role.casefold() in _NAVIGATION_ROLES or _CHROME.search(said) is not None


def heads_box(heading: Any) -> bool:
    """Whether a heading is that of a box, such as "Note", and so of nothing behind the box."""
    parent = heading.getparent()
    return parent is not None and not _BOXES.isdisjoint(
        parent.get("class", "").casefold()[:200].split()
    )


def _is_note(element: Any) -> bool:
    return element.tag == "aside" and bool(_NOTE.search(element.get("class", "").casefold()[:200]))
