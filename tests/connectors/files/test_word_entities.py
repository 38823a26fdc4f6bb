"""Signs that markup writes in its own way arrive, whatever the format."""

import re
import subprocess
from html import escape

import pypandoc
import pytest
import tiny_documents as tiny

from connectors.files.extract import read_bytes

SAID = "Tom & Jerry, a < b > c, x<y, <b>bold</b>, AT&T; &amp; 'it' \"is\" café — so."


def unescaped(markdown: str) -> str:
    return re.sub(r"\\([!-/:-@[-`{-~])", r"\1", markdown)


@pytest.mark.parametrize("suffix", ["docx", "pptx", "xlsx", "ods", "odt", "epub"])
async def test_signs_of_markup_are_text(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiny, "SENTENCE", escape(SAID))
    found = await read_bytes(getattr(tiny, suffix)(), f".{suffix}")
    assert SAID in unescaped(found.text)


def by_pandoc(markdown: str) -> bytes:
    command = [pypandoc.get_pandoc_path(), "--from=markdown", "--to=docx", "--output=-"]
    return subprocess.run(command, input=markdown.encode(), capture_output=True, check=True).stdout


async def test_signs_of_a_document_that_pandoc_wrote() -> None:
    table = "| a & b | c |\n|---|---|\n| x \\< y | z |"
    made = by_pandoc(f"# R&D\n\nTom & Jerry.\n\n{table}\n\n- *it* > this\n")
    found = unescaped((await read_bytes(made, ".docx")).text)
    for said in ("# R&D", "Tom & Jerry.", "| a & b |", "| x < y |", "*it* > this"):
        assert said in found


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("&#233;&#xE9;&#XE9;", "éé"),
        ("a&#10;b&#0;c&#xD800;d", "a b c d"),
        ("&#38;amp;", "&amp;"),
        ("&nothing;", ""),
        ("&#9999999;", " "),
    ],
)
async def test_signs_written_as_numbers(
    written: str, read: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiny, "SENTENCE", f"From {written} on")
    text = unescaped((await read_bytes(tiny.docx(), ".docx")).text)
    assert " ".join(f"From {read} on".split()) in " ".join(text.split())
