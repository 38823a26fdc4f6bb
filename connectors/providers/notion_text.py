"""Notion's objects as Markdown: rich text, blocks, properties, titles. Nothing here asks Notion."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from connectors.net.http import web_host

SITE = "https://www.notion.so"

_ITEMS = {"bulleted_list_item", "numbered_list_item", "to_do", "toggle"}
_FILES = {"audio", "file", "image", "pdf", "video"}
_MARKS = {"bold": "**", "italic": "*", "strikethrough": "~~"}


def fields(value: Any) -> dict[str, Any]:
    """An object of an answer; an empty one where it is missing or none."""
    return value if isinstance(value, dict) else {}


def records(value: Any) -> list[dict[str, Any]]:
    """The objects of a list of an answer."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def word(value: Any, *names: str) -> str:
    """The text that stands under these names, one inside of the other; "" where there is none."""
    for name in names:
        value = fields(value).get(name)
    return value if isinstance(value, str) else ""


def title(thing: Mapping[str, Any]) -> str:
    """The title of a page, or of a database's source; "" where it has none."""
    parts = thing.get("title")
    if not isinstance(parts, list):  # a page has it among its properties
        held = fields(thing.get("properties")).values()
        parts = next((fields(one).get("title") for one in held if word(one, "type") == "title"), [])
    return " ".join("".join(word(part, "plain_text") for part in records(parts)).split())


def properties(page: Mapping[str, Any]) -> str:
    """What the columns of its database say of a page, a line each; those that are empty not."""
    given = fields(page.get("properties")).items()
    shown = {name: _property(value) for name, value in given if word(value, "type") != "title"}
    return "\n".join(f"{name}: {text}" for name, text in shown.items() if text)


def linked(page: Mapping[str, Any], blocks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The ids of pages that a page leads to: its relations, pages below it, links and mentions."""
    for value in fields(page.get("properties")).values():
        yield from (word(one, "id") for one in records(fields(value).get("relation")))
    for block in blocks:
        kind = word(block, "type")
        yield word(block, "id") if kind == "child_page" else word(block, "link_to_page", "page_id")
        for part in records(fields(block.get(kind)).get("rich_text")):
            yield word(part, "mention", "page", "id")
        yield from linked({}, records(block.get("children")))


def markdown(blocks: Sequence[Mapping[str, Any]]) -> str:
    """Blocks as Markdown; those inside of a block stand under its key `children`."""
    text, before, number = "", "", 0
    for block in blocks:
        kind = word(block, "type")
        number = number + 1 if kind == "numbered_list_item" else 0
        if part := _block(kind, block, number):
            between = "\n" if kind in _ITEMS and before in _ITEMS else "\n\n"
            text, before = f"{text}{between}{part}" if text else part, kind
    return text


def _block(kind: str, block: Mapping[str, Any], number: int) -> str:
    body, children = fields(block.get(kind)), records(block.get("children"))
    text = _rich(body.get("rich_text"))
    if kind == "table":
        return _table(children)
    inside = markdown(children)
    if kind in _ITEMS:
        marks = {"numbered_list_item": f"{number}. "}
        if kind == "to_do":
            text = f"[{'x' if body.get('checked') is True else ' '}] {text}"
        tight = "\n" if children and word(children[0], "type") in _ITEMS else "\n\n"
        return _marked(tight.join(part for part in (text, inside) if part), marks.get(kind, "- "))
    if kind.startswith("heading_") and text:
        text = f"{'#' * min(int(kind[-1]), 6) if kind[-1].isdecimal() else '#'} {text}"
    if kind == "callout":
        text = f"{word(body, 'icon', 'emoji')} {text}".strip()
    if kind == "code":
        return _fenced(text=_plain(body.get("rich_text")), language=word(body, "language"))
    if kind == "equation":
        return f"$$\n{word(body, 'expression')}\n$$"
    if kind == "divider":
        return "---"
    if kind in ("child_page", "child_database"):
        return _link(word(body, "title") or "Untitled", page_address(word(block, "id")))
    if kind == "link_to_page":
        return page_address(word(body, "page_id") or word(body, "database_id"))
    if kind in ("bookmark", "embed", "link_preview") or kind in _FILES:
        # The address of a file that Notion keeps is left out: it is a key to it for an hour.
        address = word(body, "url") or word(body, "external", "url")
        return _link(_rich(body.get("caption")) or word(body, "name"), address)
    whole = "\n\n".join(part for part in (text, inside) if part)
    return _marked(whole, "> ", "> ") if kind in ("quote", "callout") else whole


def page_address(id_: str) -> str:
    """Where the page of an id is; "" for none."""
    return f"{SITE}/{id_.replace('-', '')}" if id_ else ""


def _rich(parts: Any) -> str:
    return "".join(map(_run, records(parts)))


def _plain(parts: Any) -> str:
    return "".join(word(part, "plain_text") for part in records(parts))


def _run(part: dict[str, Any]) -> str:
    """A run of text with its marks around the words, not around the spaces beside them."""
    text, marks = word(part, "plain_text"), fields(part.get("annotations"))
    core = text.strip()
    if not core:
        return text
    before, after = text[: text.index(core)], text[text.index(core) + len(core) :]
    if word(part, "type") == "equation":
        core = f"${core}$"
    if marks.get("code") is True:
        core = f"``{core}``" if "`" in core else f"`{core}`"
    for name, mark in _MARKS.items():
        if marks.get(name) is True:
            core = f"{mark}{core}{mark}"
    address = word(part, "href")
    return f"{before}{_link(core, SITE + address if address[:1] == '/' else address)}{after}"


def _link(text: str, address: str) -> str:
    if not web_host(address):
        return text
    return f"[{text}]({address})" if text and text != address else address


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{'' if language == 'plain text' else language}\n{text}\n{fence}"


def _marked(text: str, first: str, others: str = "") -> str:
    """Lines with a mark before the first, and as much space, or another mark, before the rest."""
    head, *rest = text.split("\n")
    space = others or " " * len(first)
    return "\n".join(line.rstrip() for line in (first + head, *(space + line for line in rest)))


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    """A table; its first row is the header, as Markdown has none without."""
    lines = list[str]()
    for row in rows:
        cells = fields(row.get("table_row")).get("cells")
        texts = [" ".join(_rich(cell).split()) for cell in cells] if isinstance(cells, list) else []
        shown = " | ".join(text.replace("|", "\\|") for text in texts)
        lines.append(f"| {shown} |")
        if len(lines) == 1:
            lines.append(f"|{' --- |' * len(texts)}")
    return "\n".join(lines)


def _property(value: Any) -> str:
    """A property's value in words; "" for what stands elsewhere, or in no words."""
    kind = word(value, "type")
    held = fields(value).get(kind)
    if kind in ("rich_text", "title"):
        return _rich(held).strip()
    if kind in ("formula", "rollup"):
        return _property(held)
    if kind == "array":
        return ", ".join(text for one in records(held) if (text := _property(one)))
    if kind in ("multi_select", "people", "files"):
        return ", ".join(name for one in records(held) if (name := word(one, "name")))
    if kind in ("select", "status"):
        return word(held, "name")
    if kind in ("checkbox", "boolean"):
        return "yes" if held is True else "no"
    if kind == "date":
        return " to ".join(day for day in (word(held, "start"), word(held, "end")) if day)
    if kind == "unique_id":
        number = fields(held).get("number")
        return f"{word(held, 'prefix')}-{number}".lstrip("-") if isinstance(number, int) else ""
    if kind in ("number", "string", "url", "email", "phone_number"):
        return str(held) if isinstance(held, str | int | float) else ""
    return ""
