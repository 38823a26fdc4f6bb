"""Code that strangers wrote is read where a grammar that breaks costs nothing else."""

from dataclasses import replace

import pytest
from library_pages import page, texts

from library.index import read_code as code
from library.index.read_code import read_code
from library.library import Library
from retrieval.code.symbols import extract_symbols

SOURCE = "import os\n\nclass Hand:\n    def grip(self, größe):\n        pull('🙂')\n"
DEEP = "{a: " * 98_000 + "}" * 98_000
"""It overflows the stack of the parser, which ends the process that it runs in."""
LOOPING = "\n".join("`" * count for count in range(1, 725))
"""A query does not come to its end in it."""


async def test_a_child_finds_what_a_file_holds() -> None:
    assert await read_code(page("file:///hand.py", SOURCE)) == extract_symbols(SOURCE, "python")


@pytest.mark.parametrize("uri", ["file:///hand.md", "https://example.org/hand"])
async def test_what_is_no_code_is_not_read_as_such(uri: str) -> None:
    assert await read_code(page(uri, SOURCE)) is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(DEEP, id="deep"),
        pytest.param(LOOPING, id="looping", marks=pytest.mark.slow),
    ],
)
async def test_code_that_breaks_its_reader_costs_its_symbols(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(code, "CODE_READER", replace(code.CODE_READER, seconds=2))
    assert await read_code(page("file:///bad.tsx", text)) is None
    assert await read_code(page("file:///hand.py", SOURCE)) is not None


async def test_it_is_stored_as_text(library: Library) -> None:
    await library.store([page("file:///bad.tsx", f"otter {DEEP}")])
    assert len(await texts(library, "otter")) == 1
