"""A page's headings, definition lists and captions, put so that its reader keeps them.

trafilatura drops headings and lists where it finds no element that it knows for the main text,
parts terms from their definitions, and takes a caption for a row.
"""

from typing import Any

SHORT_DEFINITION = 200
"""Characters of a definition that stands on one line with its term."""

MOST_TERMS = 3
"""Terms a definition, on the average; a list that has more is one of words."""

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_HOLDERS = ("div", "section", "body")
_BLOCKS = "p|ul|ol|dl|pre|table|blockquote"


def keep_structure(tree: Any) -> None:
    """Change a parsed page in place, before its main text is taken."""
    for caption in list(tree.iter("caption")):
        _move_caption(caption)
    level = 1
    for element in list(tree.iter("dl", *_HEADINGS)):
        if element.tag == "dl":
            _spell_out(element, min(6, level + 1))
        else:
            level = int(element.tag[1])
    _mark_main_text(tree)


def _mark_main_text(tree: Any) -> None:
    """Call the least element that holds all headings and paragraphs an article.

    A page that names its main text is left as it is.
    """
    from trafilatura.xpaths import BODY_XPATH  # noqa: PLC0415  (0.2 s)

    said = [one for one in tree.iter("p", *_HEADINGS) if one.getparent() is not None]
    if not said or any(find(tree) for find in BODY_XPATH):
        return
    ours = {id(one): one for one in said[-1].iterancestors(*_HOLDERS)}
    holder = next((one for one in said[0].iterancestors(*_HOLDERS) if id(one) in ours), None)
    if holder is None:
        return
    article = tree.makeelement("article")
    article.text, holder.text = holder.text, None
    article.extend(list(holder))
    holder.append(article)


def _move_caption(caption: Any) -> None:
    """Set a table's caption above it."""
    table = caption.getparent()
    words = _get_words(caption)
    caption.drop_tree()
    if table.tag == "table" and words and table.getparent() is not None:
        line = table.makeelement("p")
        line.append(table.makeelement("b"))
        line[0].text = words
        table.addprevious(line)


def _spell_out(definitions: Any, level: int) -> None:
    """Write a definition list as a list of lines, or with headings of `level` if it is long."""
    meanings = list(definitions.iter("dd"))
    if not meanings or definitions.getparent() is None:
        return
    groups = [one for one in definitions if one.tag == "div"]  # HTML allows a pair in a div
    for group in groups:
        group.drop_tag()
    if len(definitions.xpath("dt")) > MOST_TERMS * len(meanings):  # an index: terms, and subjects
        definitions.tag = "ul"
        for child in definitions.xpath("dt|dd"):
            child.tag = "li"
        return
    is_short = all(
        len(_get_words(one)) <= SHORT_DEFINITION and len(one.xpath(_BLOCKS)) <= 1
        for one in meanings
    )
    terms: list[str] = []
    for child in list(definitions):
        if child.tag == "dt":
            terms.append(_get_words(child))
            child.drop_tree()
        elif child.tag == "dd":
            _set_term(child, ", ".join(filter(None, terms)), level, is_short=is_short)
            terms = []
    definitions.tag = "ul" if is_short else "div"


def _set_term(meaning: Any, term: str, level: int, *, is_short: bool) -> None:
    """Set a term before its definition; one without is the former one's further meaning."""
    meaning.tag = "li" if is_short else "div"
    if not term:
        return
    head = meaning.makeelement("b" if is_short else f"h{level}")
    head.text = term
    if is_short:
        for block in meaning.xpath("p"):
            block.drop_tag()
        head.tail, meaning.text = f": {(meaning.text or '').lstrip()}", None
    elif meaning.text and meaning.text.strip():
        line = meaning.makeelement("p")
        line.text, meaning.text = meaning.text, None
        while len(meaning) and meaning[0].tag not in _BLOCKS.split("|"):
            line.append(meaning[0])
        meaning.insert(0, line)
    meaning.insert(0, head)


def _get_words(element: Any) -> str:
    for line in element.iter("br"):
        line.tail = f" {line.tail or ''}"
    return " ".join("".join(element.itertext()).split())
