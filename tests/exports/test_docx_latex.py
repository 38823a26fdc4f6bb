"""Word and LaTeX, read back by other programs."""

import io
import zipfile
from base64 import b64encode
from pathlib import Path
from typing import Any

import kreuzberg
import pytest
from hostile import MARKUP, read, report_of
from lxml import etree
from sample_report import REPORT, reference

from exports import docx_latex
from exports.citation_styles import Style
from exports.formats import export
from exports.tree.document import build_document
from exports.tree.nodes import node, paragraph
from schema.errors import QuireError
from schema.report import Report

_PIXEL = (
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8"
    "0f0000010101001815dd8d0000000049454e44ae426082"
)
_AS_DATA = f"data:image/png;base64,{b64encode(bytes.fromhex(_PIXEL)).decode()}"


def parts(written: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(written)) as package:
        assert package.testzip() is None
        return {name: package.read(name) for name in package.namelist()}


@pytest.mark.slow
def test_another_reader_finds_every_word_of_a_docx() -> None:
    written = export(REPORT, "docx")
    mime = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    text = " ".join(kreuzberg.extract_bytes_sync(written, mime).content.split())
    for words in ("25 % of their body weight a day [1]", "海獭每天大约吃掉自身体重四分之一的食物",
                  "ثعالب البحر تعيش في شمال المحيط الهادئ", "👩🏽‍🔬", "change = counts[1]",
                  "Kelp came back within two years", "The count fell to 1,800"):  # fmt: skip
        assert words in text


@pytest.mark.slow
def test_charts_are_pictures_in_docx_and_tables_in_latex() -> None:
    pictures = [name for name in parts(export(REPORT, "docx")) if name.endswith(".png")]
    assert len(pictures) == 2
    latex = export(REPORT, "latex").decode()
    assert "\\includegraphics{" not in latex
    assert "2962" in latex


def test_a_docx_without_drawn_charts_has_their_values() -> None:
    written = export(report_of("![Otters counted](chart:0) [1]"), "docx")
    assert not [name for name in parts(written) if "media" in name]
    text = read(written, "docx", "plain")
    assert "Otters counted [1]" in " ".join(text.split())
    assert "2962" in text


def test_every_part_of_a_docx_is_sound_xml_whatever_the_text() -> None:
    for name, part in parts(export(report_of("\n\n".join(MARKUP)), "docx")).items():
        if name.endswith((".xml", ".rels")):
            etree.fromstring(part)


def test_a_docx_points_to_nothing_that_is_loaded() -> None:
    text = "![a](http://127.0.0.1:9/x.png) ![b](/etc/hostname) ![c](file:///etc/hostname)"
    found = parts(export(report_of(text), "docx"))
    assert not [name for name in found if "media" in name]
    assert b'TargetMode="External"' in found["word/_rels/document.xml.rels"]  # the links
    assert b"/image" not in found["word/_rels/document.xml.rels"]


def test_latex_sets_a_text_as_it_stands() -> None:
    texts = ["\\input{/etc/hostname}", "\\x{=latex} and \\end{document}", "$$\\write18{ls}$$",
             "^^41", "% {a} #1", "~ ^ x_y & < > \\", "\\verb/x/", "a -- b --- c",
             "<b>x</b>"]  # fmt: skip
    latex = export(report_of("\n\n".join(f"Before {text} after." for text in texts)), "latex")
    shown = " ".join(read(latex, "latex", "plain").split())
    for text in texts:
        assert f"Before {text} after." in shown
    assert latex.count(b"\\end{document}") == 1


def test_a_report_in_arabic_runs_from_right_to_left() -> None:
    arabic = Report(**{**report_of("ثعالب البحر [1]."), "language": "ar"})
    assert b"<w:bidi" in parts(export(arabic, "docx"))["word/document.xml"]
    assert b"<w:bidi" not in parts(export(report_of("Text."), "docx"))["word/document.xml"]


def test_pandoc_opens_no_file_of_the_machine(tmp_path: Path) -> None:
    picture = tmp_path / "x.png"
    picture.write_bytes(bytes.fromhex(_PIXEL))
    for source, kept in ((str(picture), False), (_AS_DATA, True)):
        image = node("Image", [["", [], []], [], [source, ""]])
        tree = {"pandoc-api-version": [1, 23, 1], "meta": {}, "blocks": [paragraph(image)]}
        written = docx_latex._run_pandoc(tree, "docx")
        assert any("media" in name for name in parts(written)) == kept


def test_pandoc_is_given_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docx_latex, "DEADLINE", 0.001)
    with pytest.raises(QuireError, match=r"No latex was set within 0 s"):
        export(REPORT, "latex")


@pytest.mark.parametrize("style", ["ieee", "author-date"])
def test_no_link_of_the_tree_leads_anywhere_but_to_the_web(style: Style) -> None:
    """Word and a PDF's reader open `file:` and other schemes as readily as a page."""
    report = report_of("Text [1].")
    report["references"] = [*report["references"], reference(7, url="javascript:alert(1)")]
    links: list[str] = []

    def gather(held: Any) -> None:
        if isinstance(held, dict) and held.get("t") == "Link":
            links.append(held["c"][2][0])
        for one in held.values() if isinstance(held, dict) else held:
            if isinstance(one, dict | list):
                gather(one)

    gather(build_document(report, style, lambda _: ""))
    assert {link.partition(":")[0] for link in links if not link.startswith("#")} == {
        "http", "https",
    }  # fmt: skip
    assert b"file:" not in parts(export(report, "docx", style))["word/_rels/document.xml.rels"]
