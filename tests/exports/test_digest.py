"""A digest tells what changed, and nothing of a source becomes markup or an address."""

from typing import Any

from lxml import html

from exports.digest import render_digest, render_digest_html
from schema.report import Report

NASTY = '<img src=x onerror=alert(1)> [a](javascript:1) ![b](https://tracker.example/x.png) "q"'


def change(kind: str, sentence: str, now: str, before: str, after: str, section: int = 0) -> Any:
    return {
        "section": section, "kind": kind, "sentence": sentence, "now": now, "number": 1,
        "document": "file:///a.md", "before": before, "after": after, "dated": "2026-05-03",
    }  # fmt: skip


def report(*changes: Any, title: str = "Heat") -> Report:
    made: Any = {
        "title": title, "language": "en", "version": 2, "citations": [],
        "sections": [{"title": "One", "text": ""}, {"title": "Two", "text": ""}],
        "references": [{"number": 1, "title": "The ministry's page"}],
        "changes": list(changes),
    }  # fmt: skip
    return made  # type: ignore[no-any-return]


EVERY = [
    change("changed", "It was 12 % [1].", "It is 14 % [1].", "was 12 %", "is 14 %"),
    change("gone", "It snowed [1].", "", "it snowed", ""),
    change("contradicted", "It rose [1].", "It rose [1]. It fell [2].", "", "it fell", 1),
    change("new", "", "It froze [2].", "", "it froze", 1),
]


def test_each_kind_is_told_with_its_quotes_and_its_day() -> None:
    said = render_digest(report(*EVERY))
    assert said.startswith(
        "# Heat\n\nVersion 2: the evidence of 3 claims changed; 1 new finding.\n"
    )
    assert "- Was: It was 12 %" in said
    for told in (
        "said: “was 12 %”",
        "since 2026-05-03 it says: “is 14 %”",
        "is gone; it said",
        "Now: taken out.",
        "2026-05-03, says otherwise: “it fell”",
        "- New: It froze",
    ):
        assert told in said
    page = html.document_fromstring(render_digest_html(report(*EVERY)))
    assert [one.text_content() for one in page.cssselect("h2")] == ["One", "Two"]
    assert [one.text_content() for one in page.cssselect("ins")][-1] == "It froze [2]."
    assert "is 14 %" in page.text_content()


def test_what_a_source_says_is_text() -> None:
    nasty = report(change("changed", NASTY, NASTY, NASTY, NASTY), title=NASTY)
    page = html.document_fromstring(render_digest_html(nasty))
    assert not page.cssselect("img, script, a, iframe")
    assert not [one for one in page.iter() for name in one.attrib if name.startswith("on")]
    said = render_digest(nasty)
    assert "<img" not in said.replace("\\<img", "")
