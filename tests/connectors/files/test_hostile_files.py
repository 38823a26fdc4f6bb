"""What a hostile file does to its reader costs a child, a deadline, and nothing else."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import hostile_documents as hostile
import psutil
import pytest
import tiny_documents as tiny

from connectors.files import extract
from connectors.files.extract import read_bytes
from connectors.files.file_text import UnreadableError
from connectors.files.web_page import PAGE_READER, read_web_page
from library import sandbox


@pytest.fixture(autouse=True)
def no_idle_children() -> Iterator[None]:
    """Children of this test only."""
    sandbox.end_idle()
    yield
    sandbox.end_idle()


def living() -> list[psutil.Process]:
    """The children that read files."""
    found = []
    for one in psutil.Process().children():
        with suppress(psutil.Error):  # it ends just now
            found += [one] if "sandbox.serve" in " ".join(one.cmdline()) else []
    return found


async def refusal(data: bytes, suffix: str) -> str:
    with pytest.raises(UnreadableError) as caught:
        await read_bytes(data, suffix)
    return str(caught.value)


async def reads() -> bool:
    return tiny.SENTENCE in (await read_bytes(tiny.docx(), ".docx")).text


@pytest.mark.slow
async def test_a_file_that_breaks_its_reader_breaks_nothing_else() -> None:
    document = hostile.deep_odt()
    assert len(document) < 10_000
    reasons = await asyncio.gather(*(refusal(document, ".odt") for _ in range(3)))
    assert set(reasons) == {"it breaks its reader, or needs more than 2 GB of memory"}
    assert await reads()


@pytest.mark.slow
async def test_a_page_that_keeps_its_reader_busy_costs_the_deadline() -> None:
    with pytest.raises(UnreadableError, match=r"^reading it takes longer than 1 s$"):
        await read_web_page(hostile.slow_page(), reading=replace(PAGE_READER, seconds=1.0))
    assert living() == []
    assert await reads()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold a process to it")
async def test_a_file_that_needs_too_much_memory_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extract, "FILE_READER", replace(extract.FILE_READER, memory=2**28))
    table = b"a,b,c,d\n" * 200_000
    assert (await refusal(table, ".csv")).startswith("it breaks its reader, or needs more than")


@pytest.mark.slow
async def test_who_stops_waiting_ends_the_reading() -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await read_bytes(hostile.slow_page(), ".html")
    assert psutil.wait_procs(living(), timeout=5)[1] == []
    assert await reads()


async def test_a_child_reads_one_file_after_the_other() -> None:
    assert await reads()
    (child,) = living()
    assert await reads()
    assert living() == [child]


@pytest.mark.slow
async def test_files_are_read_side_by_side_by_no_more_than_four_children() -> None:
    assert all(await asyncio.gather(*(reads() for _ in range(12))))
    assert 1 < len(living()) <= sandbox.MAX_IDLE


async def test_a_child_that_went_away_meanwhile_is_replaced() -> None:
    assert await reads()
    (child,) = living()
    child.kill()
    child.wait(5)
    assert await reads()


@pytest.mark.slow
async def test_a_document_s_bomb_is_never_unpacked() -> None:
    assert await refusal(hostile.bomb(110), ".docx") == "it unpacks to more than 100 MB"


async def test_what_a_document_holds_of_others_is_not_opened() -> None:
    assert tiny.SENTENCE in (await read_bytes(hostile.nested_docx(), ".docx")).text
