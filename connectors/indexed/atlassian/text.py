"""Atlassian's document format to Markdown: the descriptions, comments and pages of its cloud."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from connectors.files.markdown import fence_code, format_table, indent_lines
from connectors.json_fields import get_fields, get_records

MAX_DEPTH = 60
"""Nodes inside of each other that are still read; people's documents stay below twenty."""

_SHOWN_ATTRIBUTES = {
    "mention": ("text",),
    "emoji": ("text", "shortName"),
    "status": ("text",),
    "inlineCard": ("url",),
    "blockCard": ("url",),
    "embedCard": ("url",),
    "media": ("alt",),
    "mediaInline": ("alt",),
    "inlineExtension": ("text",),
}
"""Nodes of which the first of these attributes is shown."""
_INLINE_PARENTS = {"paragraph", "caption", "taskItem", "decisionItem"}
"""Nodes whose parts stand in one line."""


def convert_adf(node: Any) -> str:
    """A document, or a part of one, as Markdown. What is no node says nothing, text itself."""
    return node.strip() if isinstance(node, str) else _convert_node(node, 0).strip()


def _convert_node(node: Any, depth: int) -> str:
    if not isinstance(node, dict) or depth > MAX_DEPTH:
        return ""
    kind = node.get("type")
    if not isinstance(kind, str):
        return ""
    if form := _CONVERTERS.get(kind):
        return form(node, depth)
    if kind in _SHOWN_ATTRIBUTES:
        return next(
            (shown for name in _SHOWN_ATTRIBUTES[kind] if (shown := _get_attribute(node, name))), ""
        )
    return ("" if kind in _INLINE_PARENTS else "\n\n").join(_convert_content(node, depth))


def _convert_content(node: dict[str, Any], depth: int) -> list[str]:
    """What is inside of a node, without what says nothing."""
    inside = node.get("content")
    texts = (_convert_node(part, depth + 1) for part in inside) if isinstance(inside, list) else ()
    return [text for text in texts if text]


def _get_attribute(node: dict[str, Any], name: str) -> str:
    value = get_fields(node.get("attrs")).get(name)
    return str(value) if isinstance(value, str | int) else ""


def _convert_text(node: dict[str, Any], _: int) -> str:
    """A run of text; of its marks only links and code are rendered."""
    text, marks = node.get("text"), get_records(node.get("marks"))
    if not isinstance(text, str):
        return ""
    if any(mark.get("type") == "code" for mark in marks):
        text = f"`{text}`"
    address = next((_get_attribute(one, "href") for one in marks if one.get("type") == "link"), "")
    return f"[{text}]({address})" if address and address != text else text


def _convert_heading(node: dict[str, Any], depth: int) -> str:
    level = _get_attribute(node, "level")
    hashes = "#" * (int(level) if level in ("1", "2", "3", "4", "5", "6") else 1)
    title = " ".join("".join(_convert_content(node, depth)).split())
    return f"{hashes} {title}" if title else ""


def _convert_code(node: dict[str, Any], depth: int) -> str:
    text = "".join(_convert_content(node, depth))
    return fence_code(text, _get_attribute(node, "language")) if text else ""


def _convert_quote(node: dict[str, Any], depth: int) -> str:
    text = "\n\n".join(_convert_content(node, depth))
    return indent_lines(text, "> ", "> ") if text else ""


def _convert_list(node: dict[str, Any], depth: int) -> str:
    """Any kind of list; an item without text has no line."""
    first = _get_attribute(node, "order") if node["type"] == "orderedList" else ""
    number = int(first) if first.isdecimal() and len(first) < 9 else 1
    lines = list[str]()
    for item in get_records(node.get("content")):
        kind = item.get("type")
        if kind in ("taskList", "bulletList", "orderedList"):  # a list right inside of a list
            marker = "  "
        elif kind in ("taskItem", "blockTaskItem"):
            marker = "- [x] " if _get_attribute(item, "state") == "DONE" else "- [ ] "
        else:
            marker = f"{number + len(lines)}. " if node["type"] == "orderedList" else "- "
        text = (
            "\n".join(_convert_content(item, depth + 1))
            if kind == "listItem"
            else _convert_node(item, depth + 1)
        )
        if text:
            lines.append(indent_lines(text, marker, "  " if marker[0] == "-" else ""))
    return "\n".join(lines)


def _convert_table(node: dict[str, Any], depth: int) -> str:
    rows = (get_records(row.get("content")) for row in get_records(node.get("content")))
    return format_table([_convert_node(cell, depth + 2) for cell in row] for row in rows)


def _convert_expand(node: dict[str, Any], depth: int) -> str:
    title = _get_attribute(node, "title").strip()
    return "\n\n".join(
        [f"**{title}**", *_convert_content(node, depth)] if title else _convert_content(node, depth)
    )


def _convert_date(node: dict[str, Any], _: int) -> str:
    """A day, given as milliseconds since 1970."""
    try:
        moment = datetime.fromtimestamp(int(_get_attribute(node, "timestamp")) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return moment.date().isoformat()


def _make_constant(text: str) -> Callable[[dict[str, Any], int], str]:
    return lambda _node, _depth: text


_CONVERTERS: dict[str, Callable[[dict[str, Any], int], str]] = {
    "text": _convert_text,
    "heading": _convert_heading,
    "codeBlock": _convert_code,
    "blockquote": _convert_quote,
    "bulletList": _convert_list,
    "orderedList": _convert_list,
    "taskList": _convert_list,
    "decisionList": _convert_list,
    "table": _convert_table,
    "expand": _convert_expand,
    "nestedExpand": _convert_expand,
    "date": _convert_date,
    "hardBreak": _make_constant("\n"),
    "rule": _make_constant("---"),
}
