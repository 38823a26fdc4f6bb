"""Files of every format become text, and say who wrote them and when."""

import os
from pathlib import Path

import pytest
import tiny_documents as tiny
from connector_world import AsNobody

from connectors.files import extract
from connectors.files.extract import read_file
from connectors.files.file_text import FileText, UnreadableError

BINARY = {
    "pdf": tiny.pdf,
    "docx": tiny.docx,
    "pptx": tiny.pptx,
    "xlsx": tiny.xlsx,
    "epub": tiny.epub,
    "odt": tiny.odt,
}
DESCRIBED = {**BINARY, "rtf": tiny.rtf, "eml": tiny.eml, "html": tiny.html}
UNDESCRIBED = {
    "csv": f"what,where\n{tiny.SENTENCE},coast\n",
    "tsv": f"what\twhere\n{tiny.SENTENCE}\tcoast\n",
    "json": f'{{"body": "{tiny.SENTENCE}"}}',
    "xml": f"<a><b>{tiny.SENTENCE}</b></a>",
    "yaml": f"a: {tiny.SENTENCE}\n",
    "ipynb": '{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["'
    f'{tiny.SENTENCE}"]}}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}',
    "txt": tiny.SENTENCE,
    "rst": tiny.SENTENCE,
    "srt": f"1\n00:00:01,000 --> 00:00:02,000\n{tiny.SENTENCE}\n",
    "lua": f"-- {tiny.SENTENCE}\n",
    "unheard-of": tiny.SENTENCE,
}


async def read(path: Path, content: bytes | str) -> FileText:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return await read_file(path)


async def refusal(path: Path, content: bytes | str) -> str:
    with pytest.raises(UnreadableError) as caught:
        await read(path, content)
    return str(caught.value)


@pytest.mark.parametrize("suffix", DESCRIBED)
async def test_a_format_gives_its_words_and_what_it_says_of_itself(
    tmp_path: Path, suffix: str
) -> None:
    found = await read(tmp_path / f"a.{suffix}", DESCRIBED[suffix]())
    assert tiny.SENTENCE in found.text
    assert (found.title, found.author, found.published) == (tiny.TITLE, tiny.AUTHOR, tiny.DATE)


@pytest.mark.parametrize("suffix", UNDESCRIBED)
async def test_a_format_gives_its_words(tmp_path: Path, suffix: str) -> None:
    assert tiny.SENTENCE in (await read(tmp_path / f"a.{suffix}", UNDESCRIBED[suffix])).text


@pytest.mark.parametrize("name", ["README", "a.PDF", "A.Html"])
async def test_a_name_may_have_no_suffix_or_a_loud_one(tmp_path: Path, name: str) -> None:
    content = {"README": tiny.SENTENCE.encode(), "a.PDF": tiny.pdf(), "A.Html": tiny.html()}[name]
    found = await read(tmp_path / name, content)
    assert tiny.SENTENCE in found.text
    assert "%PDF" not in found.text
    assert "<p>" not in found.text


async def test_numbers_and_sheet_names_of_a_spreadsheet_are_kept(tmp_path: Path) -> None:
    found = await read(tmp_path / "a.xlsx", tiny.xlsx())
    assert "42" in found.text
    assert "Power" in found.text


async def test_a_web_page_loses_its_menus_and_keeps_its_headings(tmp_path: Path) -> None:
    found = await read(tmp_path / "a.html", tiny.html())
    assert "## Blades" in found.text
    assert "About our company" not in found.text
    assert "Footer Corporation" not in found.text
    assert found.site == "Energy Times"


async def test_a_web_page_in_an_old_encoding_is_decoded_as_it_declares(tmp_path: Path) -> None:
    page = tiny.html().decode().replace("<head>", '<head><meta charset="gbk">')
    found = await read(tmp_path / "a.html", page.replace("Blades", "风力发电机").encode("gbk"))
    assert "风力发电机" in found.text


async def test_front_matter_describes_and_is_no_text(tmp_path: Path) -> None:
    front = "---\r\ntitle: Wind title\r\nauthor: [Ada Gale, Bo Reed]\r\ndate: 2024-05-01\r\n---\r\n"
    found = await read(tmp_path / "a.md", f"\ufeff{front}\r\n# Another\r\n\r\nText.")
    assert found.text == "\r\n# Another\r\n\r\nText."
    assert found.title == "Wind title"
    assert (found.author, found.published) == ("Ada Gale, Bo Reed", "2024-05-01")


@pytest.mark.parametrize(
    "author", ["{name: Ada Gale, at: Here}", "[{name: Ada Gale}]", "[Ada Gale, null]"]
)
async def test_authors_written_as_records_give_their_names(tmp_path: Path, author: str) -> None:
    found = await read(tmp_path / "a.md", f"---\nauthor: {author}\ntitle: [a]\n---\nText.")
    assert (found.author, found.title) == ("Ada Gale", "")


@pytest.mark.parametrize("heading", ["# Wind title", "#  Wind title  ##  ", "Hi.\n# Wind title"])
async def test_the_first_heading_is_the_title(tmp_path: Path, heading: str) -> None:
    assert (await read(tmp_path / "a.md", f"{heading}\r\n\nText.")).title == "Wind title"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8-sig", "Wind größer"),
        ("latin-1", "Café au lait"),
        ("latin-1", "Die Größe der Mühle überrascht die Gäste; ein schöner Anblick."),
        ("cp1252", "“Smart quotes” — the café’s naïve façade… costs €5."),
        ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy."),
        ("cp1251", "Ветер вращает лопасти турбины, и генератор вырабатывает ток."),
        ("gbk", "风力发电机把风的动能转化为电能，海上风电场的发电成本正在下降。"),
        ("shift_jis", "風力発電機は風の運動エネルギーを電力に変えます。海上の風は強いです。"),
        ("utf-16", "Wind größer 风力"),
        ("utf-16-le", "Wind is stronger than before"),
        ("utf-16-be", "Wind is stronger than before"),
        ("utf-32", "Wind größer"),
    ],
)
async def test_plain_text_is_decoded(tmp_path: Path, encoding: str, text: str) -> None:
    assert (await read(tmp_path / "a.txt", text.encode(encoding))).text == text


@pytest.mark.parametrize("suffix", BINARY)
async def test_a_truncated_file_is_unreadable_for_a_short_reason(
    tmp_path: Path, suffix: str
) -> None:
    reason = await refusal(tmp_path / f"a.{suffix}", BINARY[suffix]()[:200])
    assert reason.startswith("it could not be read (")
    assert len(reason) < 200
    assert "\n" not in reason


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.txt", b"", "it is empty"),
        ("a.pdf", b"", "it is empty"),
        ("a.md", b" \n\t---\n", "it holds no text"),
        ("a", bytes(range(256)) * 8, "there is no reader for this format"),
        ("a.bin", bytes(range(256)) * 8, "there is no reader for this format"),
        ("a.txt", bytes(range(256)) * 8, "its character encoding is not known"),
        ("a.html", b"<html><body><script>x</script></body></html>", "no main content was found"),
    ],
)
async def test_what_holds_no_text_is_unreadable(
    tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    assert (await refusal(tmp_path / name, content)).startswith(reason)


async def test_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"^No such file or directory$"):
        await read_file(tmp_path / "a.md")


async def test_a_file_that_is_too_large_is_not_opened(
    public_folder: Path, as_nobody: AsNobody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extract, "MAX_FILE_BYTES", 2**20)
    path = public_folder / "a.txt"
    path.write_bytes(b"x" * (2**20 + 1))
    path.chmod(0)
    with as_nobody(), pytest.raises(UnreadableError, match=r"^it is larger than 1 MB$"):
        await read_file(path)


async def test_reading_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CACHE_HOME"):  # where kreuzberg would keep texts
        monkeypatch.setenv(name, str(tmp_path / "home"))
    folder = tmp_path / "in"
    folder.mkdir()
    for suffix, make in DESCRIBED.items():
        await read(folder / f"a.{suffix}", make())
    assert Path.cwd() == tmp_path
    assert list(tmp_path.iterdir()) == [folder]
    assert len(list(folder.iterdir())) == len(DESCRIBED)


async def test_a_pipe_is_named_as_what_it_is_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    with pytest.raises(UnreadableError, match=r"^it is no regular file$"):
        await read_file(tmp_path / "a.md")
