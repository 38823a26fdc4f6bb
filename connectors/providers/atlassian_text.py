"""Atlassian's document format to Markdown: the descriptions, comments and pages of its cloud."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

DEEPEST = 60
"""Nodes inside of each other that are still read; people's documents stay below twenty."""

_SHOWN = {
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
_LINES = {"paragraph", "caption", "taskItem", "decisionItem"}
"""Nodes whose parts stand in one line."""


def atlassian_text(node: Any) -> str:
    """A document, or a part of one, as Markdown. What is no node says nothing, text itself."""
    return node.strip() if isinstance(node, str) else _text(node, 0).strip()


def _text(node: Any, depth: int) -> str:
    if not isinstance(node, dict) or depth > DEEPEST:
        return ""
    kind = node.get("type")
    if not isinstance(kind, str):
        return ""
    if form := _FORMS.get(kind):
        return form(node, depth)
    if kind in _SHOWN:
        return next((shown for name in _SHOWN[kind] if (shown := _attribute(node, name))), "")
    return ("" if kind in _LINES else "\n\n").join(_parts(node, depth))


def _parts(node: dict[str, Any], depth: int) -> list[str]:
    """What is inside of a node, without what says nothing."""
    inside = node.get("content")
    texts = (_text(part, depth + 1) for part in inside) if isinstance(inside, list) else ()
    return [text for text in texts if text]


def _attribute(node: dict[str, Any], name: str) -> str:
    attributes = node.get("attrs")
    value = attributes.get(name) if isinstance(attributes, dict) else None
    return str(value) if isinstance(value, str | int) else ""


def _run(node: dict[str, Any], _: int) -> str:
    """A run of text; of its marks only links and code are kept."""
    text, given = node.get("text"), node.get("marks")
    if not isinstance(text, str):
        return ""
    marks = [mark for mark in given if isinstance(mark, dict)] if isinstance(given, list) else []
    if any(mark.get("type") == "code" for mark in marks):
        text = f"`{text}`"
    address = next((_attribute(one, "href") for one in marks if one.get("type") == "link"), "")
    return f"[{text}]({address})" if address and address != text else text


def _heading(node: dict[str, Any], depth: int) -> str:
    level = _attribute(node, "level")
    marks = "#" * (int(level) if level in ("1", "2", "3", "4", "5", "6") else 1)
    title = " ".join("".join(_parts(node, depth)).split())
    return f"{marks} {title}" if title else ""


def _code(node: dict[str, Any], depth: int) -> str:
    text = "".join(_parts(node, depth))
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{_attribute(node, 'language')}\n{text}\n{fence}" if text else ""


def _quote(node: dict[str, Any], depth: int) -> str:
    text = "\n\n".join(_parts(node, depth))
    return _indented(text, "> ", "> ") if text else ""


def _list(node: dict[str, Any], depth: int) -> str:
    """Any kind of list; an item without text has no line."""
    first = _attribute(node, "order") if node["type"] == "orderedList" else ""
    number = int(first) if first.isdecimal() and len(first) < 9 else 1
    lines, inside = list[str](), node.get("content")
    for item in inside if isinstance(inside, list) else []:
        kind = item.get("type") if isinstance(item, dict) else ""
        if kind in ("taskList", "bulletList", "orderedList"):  # a list right inside of a list
            mark = "  "
        elif kind in ("taskItem", "blockTaskItem"):
            mark = "- [x] " if _attribute(item, "state") == "DONE" else "- [ ] "
        else:
            mark = f"{number + len(lines)}. " if node["type"] == "orderedList" else "- "
        text = "\n".join(_parts(item, depth + 1)) if kind == "listItem" else _text(item, depth + 1)
        if text:
            lines.append(_indented(text, mark, "  " if mark[0] == "-" else " " * len(mark)))
    return "\n".join(lines)


def _table(node: dict[str, Any], depth: int) -> str:
    """A row a line; the first is the header, as Markdown has no table without one."""
    lines, inside = list[str](), node.get("content")
    for row in inside if isinstance(inside, list) else []:
        cells = row.get("content") if isinstance(row, dict) else None
        texts = [_text(cell, depth + 2) for cell in cells] if isinstance(cells, list) else []
        if any(texts):
            shown = (" ".join(text.split()).replace("|", "\\|") for text in texts)
            lines.append(f"| {' | '.join(shown)} |")
            if len(lines) == 1:
                lines.append(f"|{' --- |' * len(texts)}")
    return "\n".join(lines)


def _expand(node: dict[str, Any], depth: int) -> str:
    title = _attribute(node, "title").strip()
    return "\n\n".join([f"**{title}**", *_parts(node, depth)] if title else _parts(node, depth))


def _day(node: dict[str, Any], _: int) -> str:
    """A day, given as milliseconds since 1970."""
    try:
        moment = datetime.fromtimestamp(int(_attribute(node, "timestamp")) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return moment.date().isoformat()


def _always(text: str) -> Callable[[dict[str, Any], int], str]:
    return lambda _node, _depth: text


def _indented(text: str, first: str, others: str) -> str:
    head, *rest = text.split("\n")
    lines: Sequence[str] = [first + head, *(others + line if line else others for line in rest)]
    return "\n".join(line.rstrip() for line in lines)


_FORMS: dict[str, Callable[[dict[str, Any], int], str]] = {
    "text": _run,
    "heading": _heading,
    "codeBlock": _code,
    "blockquote": _quote,
    "bulletList": _list,
    "orderedList": _list,
    "taskList": _list,
    "decisionList": _list,
    "table": _table,
    "expand": _expand,
    "nestedExpand": _expand,
    "date": _day,
    "hardBreak": _always("\n"),
    "rule": _always("---"),
}
