"""Front matter that a stranger wrote costs itself and nothing else."""

import pytest
from hostile_documents import MERGES

from connectors.files import front_matter as module
from connectors.files.extract import read_bytes
from connectors.files.front_matter import split_front_matter

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "front",
    [
        BOMB,
        MERGES,
        "a: &a b",
        "a: [" + "[" * 20 + "]" * 20 + "]",
        "{" * 2_000,
        "[" * 60_000,
        "- a list",
        "title: [a, b",
        "? [a, b]\n: c",
        'a: "\\UFFFFFFFF"',
        "a: b\n...\nc: d",
        "a: \x07",
    ],
    ids=[
        "bomb", "merges", "anchor", "deep", "open", "many open", "list", "unclosed", "list as name",
        "no character", "two documents", "control",
    ],
)  # fmt: skip
async def test_what_is_no_description_is_text(front: str) -> None:
    text = f"---\n{front}\n---\n# Wind title\n\nText."
    assert split_front_matter(text) == ({}, text)
    found = await read_bytes(text.encode(), ".md")
    assert (found.text, found.title) == (text, "Wind title")


@pytest.mark.parametrize(
    ("value", "title"),
    [
        (f"0x{'f' * 5_000}", f"0x{'f' * 5_000}"),
        (f"1{':59' * 2_000}", f"1{':59' * 2_000}"),
        ("2024-13-45", "2024-13-45"),
        ("!!float ''", ""),
        ("!!bool maybe", "maybe"),
        ("!!python/object/apply:os.getcwd []", ""),
        ("1.10", "1.10"),
        ("null", ""),
        ("'null'", "null"),
        ("~", ""),
        ("{a: b}", ""),
    ],
)
async def test_a_value_is_a_text_whatever_it_looks_like(value: str, title: str) -> None:
    found = await read_bytes(f"---\ntitle: {value}\nauthor: Ada\n---\nText.".encode(), ".md")
    assert (found.title, found.author, found.text) == (title, "Ada", "Text.")


@pytest.mark.parametrize(
    ("date", "day"),
    [
        ("2024-05-01", "2024-05-01"),
        ("2024-05-01 10:00:00 +0200", "2024-05-01"),
        ("2024-13-45", ""),
        ("9" * 5_000, ""),
    ],
)
async def test_a_date_that_is_none_costs_itself(date: str, day: str) -> None:
    found = await read_bytes(f"---\ndate: {date}\ntitle: Wind\n---\nText.".encode(), ".md")
    assert (found.published, found.title) == (day, "Wind")


@pytest.mark.parametrize(
    ("said", "superseded"),
    [
        ("superseded: true", True),
        ("superseded: false", False),
        ("superseded: No", False),
        ("superseded_by: new.md", True),
        ("superseded_by:", False),
        ("superseded_by: []", False),
    ],
)
async def test_a_file_may_say_that_another_took_its_place(said: str, superseded: bool) -> None:
    assert (await read_bytes(f"---\n{said}\n---\nText.".encode(), ".md")).superseded == superseded


def test_front_matter_that_is_too_long_is_text() -> None:
    text = "---\n" + "a: b\n" * (module.MAX_CHARACTERS // 5) + "---\nText."
    assert split_front_matter(text) == ({}, text)
