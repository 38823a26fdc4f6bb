"""A report as the HTML of a note in Zotero, with links to the items that it cites."""

import re

from exports.citation_styles import Style
from exports.docx_latex import render_html_parts
from exports.html.escaping import escape_html
from exports.labels import load_labels
from exports.web_links import escape_address, is_web
from exports.zotero_links import find_items
from schema.report import Report

MAX_CHARACTERS = 200_000
"""Of a note: Zotero refuses longer ones."""
_MARKER = re.compile(r'<a href="#source-(\d{1,6})">(.*?)</a>')


def render_zotero_note(report: Report, style: Style = "ieee") -> str:
    """Lay a report out as a note: its text, references and counts, then what it cites of Zotero.

    Raises:
        ModuleNotFoundError: the extra `export` is not installed.
        QuireError: Pandoc did not finish.
    """
    items = find_items(report["citations"])
    titles = {one["number"]: one["title"] for one in report["references"]}
    targets = {one["number"]: one["url"] for one in report["references"] if is_web(one["url"])}
    targets |= {number: item.address for number, item in items.items()}

    def lead(found: re.Match[str]) -> str:
        """A marker that leads to its source: a note has no anchors."""
        target = targets.get(int(found[1]))
        return (
            f'<a href="{escape_html(escape_address(target))}">{found[2]}</a>'
            if target
            else found[2]
        )

    body = _MARKER.sub(lead, render_html_parts({**report, "citations": []}, style))
    links = "".join(
        f'<li><a href="{escape_html(item.address)}">'
        f"[{number}] {escape_html(titles.get(number) or item.key)}</a></li>\n"
        for number, item in sorted(items.items())
    )
    words = load_labels(report["language"])
    cited = (
        f"<h1>{escape_html(words.references)}: Zotero</h1>\n<ul>\n{links}</ul>\n" if links else ""
    )
    head = f"<h1>{escape_html(report['title'])}</h1>\n"
    text = f"{head}{body}\n{cited}"
    return text if len(text) <= MAX_CHARACTERS else f"{head}{cited}"
