"""What changed in a report since the version before, claim by claim, to be sent or read."""

from collections.abc import Iterator

from exports.safe_markdown import sanitise_line
from schema.report import ClaimChange, Report

LONGEST_QUOTE = 300
"""Characters of a quote that are shown."""


def render_digest(report: Report) -> str:
    """A digest as Markdown: each claim as it stood and as it stands, with both quotes and the day.

    Args:
        report: a version that a watch made.
    """
    return "\n".join(_render_lines(report)) + "\n"


def _render_lines(report: Report) -> Iterator[str]:
    changes = report.get("changes", [])
    yield f"# {sanitise_line(report['title'])}"
    yield ""
    count = len({(one["section"], one["sentence"]) for one in changes if one["kind"] != "new"})
    new = sum(one["kind"] == "new" for one in changes)
    claims = "1 claim" if count == 1 else f"{count} claims"
    found = f"; {new} new finding{'s' * (new > 1)}" if new else ""
    yield f"Version {report.get('version', 1)}: the evidence of {claims} changed{found}."
    for place, section in enumerate(report["sections"]):
        own = [one for one in changes if one["section"] == place]
        if own:
            yield f"\n## {sanitise_line(section['title'])}\n"
        for one in own:
            yield from _render_change(one, report)


def _render_change(change: ClaimChange, report: Report) -> Iterator[str]:
    listed = {one["number"]: one for one in report["references"]}
    cited = {one["document"]: one["number"] for one in report["citations"]}
    number = cited.get(change["document"], change["number"])
    source = listed[number]["title"] if number in listed else change["document"]
    name, day = sanitise_line(source), change["dated"]
    if change["kind"] == "new":
        yield f"- New: {sanitise_line(change['now'])}"
        yield f"  - {name}, {day}: {_quote(change['after'])}"
        return
    yield f"- Was: {sanitise_line(change['sentence'])}"
    yield f"  - Now: {sanitise_line(change['now']) or 'taken out.'}"
    if change["kind"] == "gone":
        yield f"  - {name} is gone; it said: {_quote(change['before'])}"
    elif change["kind"] == "contradicted":
        yield f"  - {name}, {day}, says otherwise: {_quote(change['after'])}"
    else:
        yield f"  - {name} said: {_quote(change['before'])}"
        said = _quote(change["after"]) if change["after"] else "nothing of it any more"
        yield f"  - since {day} it says: {said}"


def _quote(text: str) -> str:
    line = " ".join(text.split())
    shown = line if len(line) <= LONGEST_QUOTE else f"{line[:LONGEST_QUOTE]}…"
    return f"“{sanitise_line(shown)}”"
