"""The PDF, read back."""

import re

import kreuzberg
import pytest
from hostile import report_of
from sample_report import REPORT

from exports import pdf
from exports.formats import export
from schema.errors import QuireError
from schema.report import Report


def text_of(written: bytes) -> str:
    return " ".join(kreuzberg.extract_bytes_sync(written, "application/pdf").content.split())


@pytest.fixture(scope="module")
def sample() -> bytes:
    return export(REPORT, "pdf")


@pytest.mark.slow
def test_it_has_title_contents_sections_and_page_numbers(sample: bytes) -> None:
    text = text_of(sample)
    told = kreuzberg.extract_bytes_sync(sample, "application/pdf").metadata
    assert told["title"] == REPORT["title"]
    assert text.startswith("Sea otters: food, numbers & habits What do sea otters eat")
    assert re.search(r"Contents Food and habits[ .]+1 What a day's catch looks like[ .]+1", text)
    assert re.search(r"\b1 / (\d+)\b.*\b\1 / \1$", text)


def test_it_is_tagged_and_knows_its_language_and_day(sample: bytes) -> None:
    assert b"/StructTreeRoot" in sample
    assert b"/Lang(en)" in sample
    assert b"/CreationDate(D:20260102000000Z)" in sample
    undated = report_of("Text.")
    undated["references"] = [{**REPORT["references"][3], "accessed": "2026-02-30"}]
    assert b"Date(" not in export(undated, "pdf")


def test_marks_lead_to_the_references_and_addresses_to_the_web(sample: bytes) -> None:
    assert b"/URI(https://otters.example/survey-2024?lang=en&page=1)" in sample
    alone = export(report_of("One [1], two [2]."), "pdf")
    assert export(report_of("One, two."), "pdf").count(b"/Dest") == alone.count(b"/Dest") - 2


def test_its_proofs_stand_at_the_end(sample: bytes) -> None:
    proofs = text_of(sample).rpartition("Citations Sea otters")[2]
    assert (
        "[2] contradicted by the source (by a language model). The source may say otherwise:"
        in proofs
    )
    assert "“They dive to" in proofs
    assert "[6] (2023-02-03) says: “The count fell to 1,800 <by 2023>.”" in text_of(sample)


def test_a_proof_without_a_quote_has_no_empty_one() -> None:
    unquoted = Report(**{**report_of("Fish [4]."), "citations": [REPORT["citations"][5]]})
    unquoted["citations"][0] = {**unquoted["citations"][0], "quote": ""}
    text = text_of(export(unquoted, "pdf"))
    assert "[4] not found in the source (by a checker on this machine)." in text
    assert "“”" not in text


def test_all_scripts_are_in_it(sample: bytes) -> None:
    text = text_of(sample)
    assert "它们的毛皮是所有哺乳动物中最密的" in text
    assert "ラッコは道具を使う" in text
    assert "تعيش" in text
    assert "ידיים" in text


def test_typst_sets_a_text_as_it_stands() -> None:
    texts = ['#read("/etc/hostname")', '#import "x.typ": *', "$ x $", "*a* #[b]",
             "<source-1> @source-1", "// a", "/* a */", "= a", "\\u{41}", "#panic()", '"',
             "\\"]  # fmt: skip
    written = export(report_of("\n\n".join(f"Before `{text}` after." for text in texts)), "pdf")
    for text in texts:
        assert f"Before{text}after.".replace(" ", "") in text_of(written).replace(" ", "")


def test_a_report_in_arabic_runs_from_right_to_left() -> None:
    arabic = Report(**{**report_of("ثعالب البحر [1]."), "language": "ar"})
    assert b"/Direction/R2L" in export(arabic, "pdf")


def test_typst_is_given_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "DEADLINE", 0.001)
    with pytest.raises(QuireError, match=r"No pdf was set within 0 s: take html"):
        export(report_of("Text."), "pdf")
