"""Notion's objects as Markdown: rich text, blocks, properties, titles. Nothing here asks Notion."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from connectors.files.markdown import fence_code, format_table, indent_lines
from connectors.http.client import web_host
from connectors.json_fields import get_fields, get_records, get_string

SITE = "https://www.notion.so"

_ITEMS = {"bulleted_list_item", "numbered_list_item", "to_do", "toggle"}
_FILES = {"audio", "file", "image", "pdf", "video"}
_EMPHASIS = {"bold": "**", "italic": "*", "strikethrough": "~~"}


def get_title(thing: Mapping[str, Any]) -> str:
    """The title of a page, or of a database's source; "" where it has none."""
    parts = thing.get("title")
    if not isinstance(parts, list):  # a page has it among its properties
        held = get_fields(thing.get("properties")).values()
        parts = next(
            (get_fields(one).get("title") for one in held if get_string(one, "type") == "title"), []
        )
    return " ".join("".join(get_string(part, "plain_text") for part in get_records(parts)).split())


def format_properties(page: Mapping[str, Any]) -> str:
    """What the columns of its database say of a page, a line each; those that are empty not."""
    given = get_fields(page.get("properties")).items()
    shown = {
        name: _format_property(value)
        for name, value in given
        if get_string(value, "type") != "title"
    }
    return "\n".join(f"{name}: {text}" for name, text in shown.items() if text)


def find_linked_ids(page: Mapping[str, Any], blocks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The ids of pages that a page leads to: its relations, pages below it, links and mentions."""
    for value in get_fields(page.get("properties")).values():
        yield from (get_string(one, "id") for one in get_records(get_fields(value).get("relation")))
    for block in blocks:
        kind = get_string(block, "type")
        yield (
            get_string(block, "id")
            if kind == "child_page"
            else get_string(block, "link_to_page", "page_id")
        )
        for part in get_records(get_fields(block.get(kind)).get("rich_text")):
            yield get_string(part, "mention", "page", "id")
        yield from find_linked_ids({}, get_records(block.get("children")))


def convert_blocks(blocks: Sequence[Mapping[str, Any]]) -> str:
    """Blocks as Markdown; those inside of a block stand under its key `children`."""
    text, before, number = "", "", 0
    for block in blocks:
        kind = get_string(block, "type")
        number = number + 1 if kind == "numbered_list_item" else 0
        if part := _format_block(kind, block, number):
            between = "\n" if kind in _ITEMS and before in _ITEMS else "\n\n"
            text, before = f"{text}{between}{part}" if text else part, kind
    return text


def _format_block(kind: str, block: Mapping[str, Any], number: int) -> str:
    body, children = get_fields(block.get(kind)), get_records(block.get("children"))
    text = _format_rich_text(body.get("rich_text"))
    if kind == "table":
        rows = (get_fields(row.get("table_row")).get("cells") for row in children)
        return format_table(
            [_format_rich_text(cell) for cell in cells] for cells in rows if isinstance(cells, list)
        )
    inside = convert_blocks(children)
    if kind in _ITEMS:
        markers = {"numbered_list_item": f"{number}. "}
        if kind == "to_do":
            text = f"[{'x' if body.get('checked') is True else ' '}] {text}"
        tight = "\n" if children and get_string(children[0], "type") in _ITEMS else "\n\n"
        return indent_lines(
            tight.join(part for part in (text, inside) if part), markers.get(kind, "- ")
        )
    if kind.startswith("heading_") and text:
        text = f"{'#' * min(int(kind[-1]), 6) if kind[-1].isdecimal() else '#'} {text}"
    if kind == "callout":
        text = f"{get_string(body, 'icon', 'emoji')} {text}".strip()
    if kind == "code":
        language = get_string(body, "language").replace("plain text", "")
        return fence_code(_join_plain_text(body.get("rich_text")), language)
    if kind == "equation":
        return f"$$\n{get_string(body, 'expression')}\n$$"
    if kind == "divider":
        return "---"
    if kind in ("child_page", "child_database"):
        return _format_link(
            get_string(body, "title") or "Untitled", build_page_url(get_string(block, "id"))
        )
    if kind == "link_to_page":
        return build_page_url(get_string(body, "page_id") or get_string(body, "database_id"))
    if kind in ("bookmark", "embed", "link_preview") or kind in _FILES:
        # The address of a file that Notion keeps is left out: it is a key to it for an hour.
        address = get_string(body, "url") or get_string(body, "external", "url")
        return _format_link(
            _format_rich_text(body.get("caption")) or get_string(body, "name"), address
        )
    whole = "\n\n".join(part for part in (text, inside) if part)
    return indent_lines(whole, "> ", "> ") if kind in ("quote", "callout") else whole


def build_page_url(id_: str) -> str:
    """Where the page of an id is; "" for none."""
    return f"{SITE}/{id_.replace('-', '')}" if id_ else ""


def _format_rich_text(parts: Any) -> str:
    return "".join(map(_format_run, get_records(parts)))


def _join_plain_text(parts: Any) -> str:
    return "".join(get_string(part, "plain_text") for part in get_records(parts))


def _format_run(part: dict[str, Any]) -> str:
    """A run of text with its emphasis around the words, not around the spaces beside them."""
    text, style = get_string(part, "plain_text"), get_fields(part.get("annotations"))
    core = text.strip()
    if not core:
        return text
    before, after = text[: text.index(core)], text[text.index(core) + len(core) :]
    if get_string(part, "type") == "equation":
        core = f"${core}$"
    if style.get("code") is True:
        core = f"``{core}``" if "`" in core else f"`{core}`"
    for name, delimiter in _EMPHASIS.items():
        if style.get(name) is True:
            core = f"{delimiter}{core}{delimiter}"
    address = get_string(part, "href")
    return f"{before}{_format_link(core, SITE + address if address[:1] == '/' else address)}{after}"


def _format_link(text: str, address: str) -> str:
    if not web_host(address):
        return text
    return f"[{text}]({address})" if text and text != address else address


def _format_property(value: Any) -> str:
    """A property's value in words; "" for what stands elsewhere, or in no words."""
    kind = get_string(value, "type")
    held = get_fields(value).get(kind)
    if kind in ("rich_text", "title"):
        return _format_rich_text(held).strip()
    if kind in ("formula", "rollup"):
        return _format_property(held)
    if kind == "array":
        return ", ".join(text for one in get_records(held) if (text := _format_property(one)))
    if kind in ("multi_select", "people", "files"):
        return ", ".join(name for one in get_records(held) if (name := get_string(one, "name")))
    if kind in ("select", "status"):
        return get_string(held, "name")
    if kind in ("checkbox", "boolean"):
        return "yes" if held is True else "no"
    if kind == "date":
        return " to ".join(
            day for day in (get_string(held, "start"), get_string(held, "end")) if day
        )
    if kind == "unique_id":
        number = get_fields(held).get("number")
        return (
            f"{get_string(held, 'prefix')}-{number}".lstrip("-") if isinstance(number, int) else ""
        )
    if kind in ("number", "string", "url", "email", "phone_number"):
        return str(held) if isinstance(held, str | int | float) else ""
    return ""
