"""A report as a note of an Obsidian vault: front matter, footnotes, links to the notes it cites.

Plugins of Obsidian run what a note holds: blocks of `dataviewjs`, inline code that begins with
`$=`, templates between `<%` and `%>`. A report's text was written from fetched pages, so none of it
is left in a form that they take for theirs.
"""

import json
import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qs, urlsplit

from exports.citation_styles import CitationStyle, MarkerPiece, ReferenceEntry, Style
from exports.markdown import escape_markdown, format_entry, layout_markdown
from exports.zotero_links import find_select_links
from schema.report import Reference, Report

JOINER = "\u2060"
"""A character without width, which keeps signs from being read as one."""

_SAFE_LANGUAGES = {
    "bash", "c", "cpp", "css", "go", "html", "java", "javascript", "json", "python", "r", "rust",
    "sh", "sql", "text", "toml", "typescript", "xml", "yaml",
}  # fmt: skip
"""Names of code blocks that stay: no plugin runs these."""
_FENCE = re.compile(r"^([ \t>]*(?:`{3,}|~{3,}))[ \t]*([^\n`]*)$", re.MULTILINE)
_INLINE_CODE = re.compile(r"(?<!`)(`+)(\s*)(?=\$?=)")
_TEMPLATE = re.compile(r"<(?=%)|%(?=[%>])")
_UNLINKABLE = re.compile(r"[\[\]|#^\n]")


def render_obsidian(report: Report, style: Style = "ieee") -> str:
    """Lay a report out as one note. Arguments as of `render_markdown`."""
    text = layout_markdown(report, style, _format_marker, None)
    notes = "\n\n".join(_list_footnotes(report, style))
    return (
        "\n".join((*_list_front_matter(report), disarm(text.rstrip()), "", notes)).rstrip() + "\n"
    )


def disarm(text: str) -> str:
    """Markdown of which no plugin runs anything, and Obsidian hides nothing."""

    def rename(found: re.Match[str]) -> str:
        language = found[2].strip().lower()
        return found[1] + (language if language in _SAFE_LANGUAGES else "")

    text = _FENCE.sub(rename, text)
    text = _INLINE_CODE.sub(rf"\1\2{JOINER}", text)
    return _TEMPLATE.sub(rf"\g<0>{JOINER}", text)


def _list_front_matter(report: Report) -> Iterator[str]:
    """YAML, whose texts are written as JSON, which YAML takes."""
    days = [one["accessed"] for one in report["references"] if one["accessed"]]
    fields: dict[str, object] = {
        "title": report["title"],
        "question": report["question"],
        "date": max(days, default=""),
        "language": report["language"],
        "quire": report.get("id", ""),
        "version": report.get("version", 0),
        "sources": len(report["references"]),
        "tags": ["quire"],
    }
    yield "---"
    for name, value in fields.items():
        if value not in ("", 0):
            yield f"{name}: {disarm(json.dumps(value, ensure_ascii=False))}"
    yield "---"


def _format_marker(pieces: list[MarkerPiece]) -> str:
    return "".join(f"[^{piece.number}]" for piece in pieces if piece.number is not None)


def _list_footnotes(report: Report, style: Style) -> Iterator[str]:
    """The references, each with a link to the note or the item that it was read from."""
    citing = CitationStyle(report["references"], style, report["language"])
    by_number = {one["number"]: one for one in report["references"]}
    items = find_select_links(report["citations"])
    for entry in citing.build_entries():
        one = by_number[entry.number]
        head = f"[{entry.number}] "
        bare = entry._replace(before=entry.before.removeprefix(head))
        yield f"[^{entry.number}]: {_format_footnote(one, bare, items)}"


def _format_footnote(one: Reference, entry: ReferenceEntry, items: Mapping[int, str]) -> str:
    if note := _find_note(one["url"]):
        title = _UNLINKABLE.sub(" ", one["title"]).strip()
        link = f"[[{note}|{title}]]" if title else f"[[{note}]]"
        return disarm(f"{escape_markdown(entry.before)}{link}{entry.after}")
    item = f" [Zotero]({items[one['number']]})" if one["number"] in items else ""
    if entry.address in items.values():  # it has no other
        return disarm(f"{escape_markdown(entry.before.rstrip(', '))}.{item}")
    return disarm(format_entry(entry)) + item


def _find_note(url: str) -> str:
    """The path of a vault's note in the vault, without its suffix; "" for any other address."""
    if not url.startswith("obsidian://open?"):
        return ""
    named = parse_qs(urlsplit(url).query).get("file", [""])[0]
    name = re.sub(r"\.(?:md|markdown)\Z", "", named, flags=re.IGNORECASE)
    return "" if _UNLINKABLE.search(name) else name
