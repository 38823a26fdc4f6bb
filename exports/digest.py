"""What changed in a report since the version before, claim by claim, to be sent or read."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from exports.html.escaping import escape_html
from exports.safe_markdown import sanitise_line
from schema.report import ClaimChange, Report

LONGEST_QUOTE = 300
"""Characters of a quote that are shown."""

_HTML = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1 dir="auto">{title}</h1>
<p>{said}</p>
{body}
</main>
</body>
</html>
"""


@dataclass(frozen=True)
class ChangedClaim:
    """A claim as it `was`, "" for a new one, and is `now`, "" where it went.

    `says` is what its source says, and said.
    """

    was: str
    now: str
    says: list[str]


def render_digest(report: Report) -> str:
    """A digest as Markdown: each claim as it stood and as it stands, with both quotes and the day.

    Args:
        report: a version that a watch made.
    """
    lines = [f"# {sanitise_line(report['title'])}", "", count_changes(report)]
    for title, entries in list_changed_sections(report):
        lines += ["", f"## {sanitise_line(title)}", ""]
        for one in entries:
            now = sanitise_line(one.now) or "taken out."
            was = sanitise_line(one.was)
            lines += [f"- Was: {was}", f"  - Now: {now}"] if was else [f"- New: {now}"]
            lines += [f"  - {sanitise_line(said)}" for said in one.says]
    return "\n".join(lines) + "\n"


def render_digest_html(report: Report) -> str:
    """The same as a page that asks nothing of any network."""
    parts: list[str] = []
    for title, entries in list_changed_sections(report):
        items = "\n".join(map(_render_entry, entries))
        parts.append(f'<h2 dir="auto">{escape_html(title)}</h2>\n<ul>\n{items}\n</ul>')
    return _HTML.format(
        language=escape_html(report["language"]),
        title=escape_html(report["title"]),
        style=_read_style(),
        said=escape_html(count_changes(report)),
        body="\n".join(parts),
    )


def _render_entry(one: ChangedClaim) -> str:
    now = escape_html(one.now) or "taken out."
    was = f"Was: <del>{escape_html(one.was)}</del><br>Now: " if one.was else "New: "
    says = "".join(f'<li dir="auto">{escape_html(said)}</li>' for said in one.says)
    return f'<li dir="auto">{was}<ins>{now}</ins><ul>{says}</ul></li>'


def count_changes(report: Report) -> str:
    """How many claims a version changed, as a sentence."""
    changes = report.get("changes", [])
    count = len({(one["section"], one["sentence"]) for one in changes if one["kind"] != "new"})
    new = sum(one["kind"] == "new" for one in changes)
    claims = "1 claim" if count == 1 else f"{count} claims"
    found = f"; {new} new finding{'s' * (new > 1)}" if new else ""
    return f"Version {report.get('version', 1)}: the evidence of {claims} changed{found}."


def list_changed_sections(report: Report) -> Iterator[tuple[str, list[ChangedClaim]]]:
    """The titles of sections in which a watch changed something, with what it did."""
    for place, section in enumerate(report["sections"]):
        own = [one for one in report.get("changes", []) if one["section"] == place]
        if own:
            yield section["title"], [_describe_change(one, report) for one in own]


def _describe_change(change: ClaimChange, report: Report) -> ChangedClaim:
    listed = {one["number"]: one for one in report["references"]}
    cited = {one["document"]: one["number"] for one in report["citations"]}
    number = cited.get(change["document"], change["number"])
    name = listed[number]["title"] if number in listed else change["document"]
    before, after, day = _quote(change["before"]), _quote(change["after"]), change["dated"]
    if change["kind"] == "new":
        says = [f"{name}, {day}: {after}"]
    elif change["kind"] == "gone":
        says = [f"{name} is gone; it said: {before}"]
    elif change["kind"] == "contradicted":
        says = [f"{name}, {day}, says otherwise: {after}"]
    else:
        said = after if change["after"] else "nothing of it any more"
        says = [f"{name} said: {before}", f"since {day} it says: {said}"]
    return ChangedClaim(change["sentence"], change["now"], says)


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line if len(line) <= LONGEST_QUOTE else f'{line[:LONGEST_QUOTE]}…'}”"


@cache
def _read_style() -> str:
    return (files("exports.html") / "page.css").read_text(encoding="utf-8").strip()
