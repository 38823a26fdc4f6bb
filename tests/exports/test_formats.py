"""Every format, by its name: made of any text, whole, and the same each time."""

import json
import re
import sys
from pathlib import Path

import kreuzberg
import pytest
from hostile import hostile, read, report_of, well_formed
from hypothesis import example, given, settings
from sample_report import REPORT

from citations.markers import find_markers
from exports.citation_styles import CitationStyle, Style
from exports.formats import FORMATS, FormatName, export, find_format
from schema.errors import InputError
from schema.report import Report

STYLES: list[Style] = ["ieee", "author-date"]
DOCUMENTS: list[FormatName] = ["markdown", "html", "pdf", "docx", "latex"]


def text_of(report: Report, name: FormatName, style: Style) -> str:
    """What a reader finds in a file, on one line."""
    written = export(report, name, style)
    if name in ("docx", "latex"):
        found = read(written, name, "plain")
    elif name == "pdf":
        found = kreuzberg.extract_bytes_sync(written, "application/pdf").content
    else:
        found = read(written, "html" if name == "html" else "commonmark", "plain")
    return " ".join(found.split())


def test_a_file_s_name_tells_its_format() -> None:
    assert {find_format(Path(f"My.report{one.suffix}")) for one in FORMATS.values()} == {*FORMATS}
    assert find_format(Path("REPORT.CSL.JSON")) == "csl"
    with pytest.raises(InputError, match=r"notes\.txt tells no format.*\.docx"):
        find_format(Path("notes.txt"))


def test_an_unknown_format_or_style_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"no format 'odt'.*markdown"):
        export(REPORT, "odt")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"no style 'apa'.*author-date"):
        export(REPORT, "pdf", "apa")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("package", "name"),
    [("typst", "pdf"), ("pypandoc", "docx"), ("pypandoc", "latex"), ("markdown_it", "pdf"),
     ("markdown_it", "html")],
)  # fmt: skip
def test_a_missing_package_is_named_with_its_remedy(
    package: str, name: FormatName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=rf"{name}.*pip install 'quire\[export\]'"):
        export(report_of("Text."), name)


def test_json_is_the_report_itself() -> None:
    assert json.loads(export(REPORT, "json")) == REPORT


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_the_same_report_gives_the_same_bytes(name: FormatName) -> None:
    one = Report(**{**REPORT, "charts": REPORT["charts"][:1]})
    assert export(one, name, "author-date") == export(one, name, "author-date")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_reference_is_in_every_document(name: FormatName, style: Style) -> None:
    text = _squeezed(text_of(report_of("Text."), name, style))
    for entry in CitationStyle(REPORT["references"], style, "en").build_entries():
        assert _squeezed(entry.address) in text
        if entry.before.isascii() or name != "pdf":  # a PDF has Arabic as it is seen
            assert _squeezed(entry.before) in text


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 8)
@given(well_formed)
def test_documents_have_every_mark_and_have_it_as_a_link(text: str) -> None:
    report = report_of(text)
    links = [f"#source-{number}" for number in find_markers(text) if number <= 6]
    for style, label in (("ieee", "[2]"), ("author-date", "Holm 2019")):
        shown = text_of(report, "markdown", style).count(label)
        for name in ("docx", "latex"):
            written = export(report, name, style)
            assert re.findall(r'"(#source-\d+)"', read(written, name, "json")) == links
            assert read(written, name, "plain").count(label) == shown


@pytest.mark.parametrize("name", FORMATS)
def test_characters_that_no_file_may_hold_are_left_out(name: FormatName) -> None:
    text = "Before \x00\x07\ud800\ufffe\r\nafter [1]."
    written = export(report_of(text, title=text), name)
    if name not in ("pdf", "docx"):
        assert not re.search("[\x00-\x08\x0b-\x1f]", written.decode())


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 5)
@example("#")
@given(hostile)
def test_no_text_keeps_a_format_from_being_made(text: str) -> None:
    report = report_of(text, title=text[:80])
    for name in FORMATS:
        assert export(report, name, "author-date")


def _squeezed(text: str) -> str:
    """A text without what a line break adds to it or takes away."""
    return re.sub(r"[\s\u200b]", "", text)
