"""What a reader copies out of long pages for the writer of a section, through the graph."""

import re
from collections.abc import Callable, Sequence

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from fakes.writer import task_of
from graph_runs import codes, speaking

from graphs.section import graph
from library.library import open_library
from retrieval.passages.context_window import estimate_tokens
from schema.context import Context
from schema.documents import Document
from schema.state import SectionState

READER = "openai:reader"
TOKENS = 1_500
DEEP = "Below 5 degrees its oil thickens, so that it has to be drained after 333 hours."
DIGRESSIONS = """
lanterns songs ropes bread visitors market velvet harbour orchards bells ribbons cider masks drums
parade bonfire painters canvas easels gallery portrait sculptor marble bronze
sailors anchors compass lighthouse fog tides gulls shepherds meadow wool clover hedges stiles brook
bakers ovens yeast crust rye butter honey almonds weavers looms thread indigo madder tapestry tassel
bobbin masons arches granite chisel mortar vault spire cloister falcons hoods leather gloves perch
feather talon meadowlark minstrels lutes ballads taverns pewter candles hearth cloaks comets orbits
eclipse telescope dusk zodiac planets stars
"""
INVENTED = "It was designed by Ada Quillworth in 1871, as nobody knows."


def tell(pump: int, part: int) -> str:
    """What a long page says of the filters of a pump, in one of its parts."""
    return (
        f"How long does filter {part} of pump {pump} last? The filter of pump {pump} lasts "
        f"{pump}{part}0 hours when it is washed {part} times. "
    )


def digress(part: int) -> str:
    """What is beside the point in one part of a page, in words that no other part has."""
    return f"{' '.join(DIGRESSIONS.split()[part * 8 - 8 : part * 8]).capitalize()}. " * 12


def make_pages() -> list[Document]:
    """Long pages, each with more on filters than a writer may be shown, and a fact far off."""
    pages = []
    for pump in range(1, 5):
        parts = [f"## Part {n}\n\n{tell(pump, n)}\n\n{digress(n)}\n" for n in range(1, 9)]
        cold = [digress(9), DEEP, digress(10)]
        parts.insert(5, "\n\n".join(["## Cold", *cold, ""]))
        text = "\n".join([f"# Pump {pump}", *parts])
        pages.append(
            Document(uri=f"file:///{pump}", title=f"Pump {pump}", text=text, connector="files")
        )
    return pages


def copy_out(request: ChatRequest) -> str:
    """The first lines with hours of a page, and one that no page holds."""
    page = request.messages[1]["content"].partition("<sources>")[2]
    told = re.findall(r"The filter of pump \d lasts \d+ hours when it is washed \d times\.", page)
    deep = [DEEP] if DEEP in page else []
    return "\n".join([f"- {told[0]}", *deep, INVENTED, *told[1:2]])


def answering(read: Callable[[ChatRequest], str]) -> Callable[[ChatRequest], str]:
    def answer(request: ChatRequest) -> str:
        if task_of(request) == "take_notes":
            return read(request)
        [number, *_] = re.findall(r'<source n="(\d+)"', request.text)
        return f"It is so [{number}]."

    return answer


async def write(
    space: str, api: FakeOpenAI, reader: str | None = READER, questions: Sequence[str] = ()
) -> tuple[SectionState, str, list[ChatRequest]]:
    """The state behind a section, what its writer was sent, and what the reader was."""
    given = {"title": "Filters", "questions": [*questions] or ["How long does a filter last?"]}
    context = Context(space=space, reader_model=reader, section_tokens=TOKENS)
    state = await graph.ainvoke(given, context=context)
    sent = {
        name: [one for one in api.requests if task_of(one) == name]
        for name in ("take_notes", "write_section")
    }
    return state, sent["write_section"][-1].messages[1]["content"], sent["take_notes"]


async def test_lines_that_stand_in_a_page_reach_the_writer_and_invented_ones_do_not(
    space: str,
) -> None:
    library = await open_library(space)
    await library.store(make_pages())
    with speaking(answering(copy_out)) as api:
        _, plain, nobody = await write(space, api, None)
        state, noted, reads = await write(space, api)
    assert not nobody
    assert {one.model for one in reads} == {"reader"}
    assert DEEP not in plain
    source, *_ = re.findall(r'<source n="\d+" title="Pump \d".*?</source>', noted, re.DOTALL)
    assert re.search(f'<passage heading="Cold">\n…\n{DEEP}\n…\n</passage>', source)
    assert re.search("<not_shown>.*Cold", source)  # where the rest of it may stand
    assert INVENTED not in noted
    assert estimate_tokens(noted.partition("<sources>")[2]) <= TOKENS
    assert sum(call["role"] == "reader" for call in state["calls"]) == len(reads)
    passages = await library.load_passages(state["sections"][0]["passages"])
    assert any(DEEP in one.text for one in passages.values())  # a citation of it can be checked
    assert not codes(state)


async def test_each_page_has_its_share_of_the_budget_however_much_is_copied(space: str) -> None:
    await (await open_library(space)).store(make_pages())

    def copy_end(request: ChatRequest) -> str:
        """All of a page behind what is asked for."""
        return request.messages[1]["content"].partition("## Part 5")[2]

    with speaking(answering(copy_end)) as api:
        asked = [
            f"How long does filter {n} of pump {n} last when it is washed?" for n in range(1, 5)
        ]
        _, noted, reads = await write(space, api, questions=asked)
    assert len(reads) == 3  # of four: each has 500 tokens of 1,500
    for page in reads:
        [title] = re.findall(r'<source n="\d+" title="(.*?)"', page.text)
        assert f'title="{title}"' in noted
    assert estimate_tokens(noted.partition("<sources>")[2]) <= TOKENS


@pytest.mark.slow
async def test_a_reader_that_fails_leaves_the_writer_what_it_has_without_one(space: str) -> None:
    await (await open_library(space)).store(make_pages())
    with speaking(answering(lambda _: INVENTED)) as api:
        plain = (await write(space, api, None))[1]
        state, useless, _ = await write(space, api)
        refused, same, _ = await write(space, api, "openai-without-a-model")
    assert useless == same == plain
    assert codes(state) == codes(refused) == {"notes_not_taken"}
    assert any(call["role"] == "reader" for call in state["calls"])


async def test_one_page_that_cannot_be_read_leaves_the_notes_of_the_others(space: str) -> None:
    await (await open_library(space)).store(make_pages())

    def read(request: ChatRequest) -> str:
        return INVENTED if 'title="Pump 1"' in request.text else copy_out(request)

    with speaking(answering(read)) as api:
        state, noted, _ = await write(space, api)
    assert DEEP in noted
    assert not codes(state)


async def test_a_page_with_nothing_on_the_questions_has_no_notes_and_is_no_failure(
    space: str,
) -> None:
    await (await open_library(space)).store(make_pages())
    with speaking(answering(lambda _: "NOTHING")) as api:
        state, _, reads = await write(space, api)
    assert reads
    assert not codes(state)


async def test_nobody_reads_where_the_writer_is_shown_all_that_answers(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_READER_MODEL", READER)
    await (await open_library(space)).store(make_pages())
    with speaking(answering(copy_out)) as api:
        assert not (await write(space, api, None, ["What does thick oil do below 5 degrees?"]))[2]
        assert (await write(space, api, None))[2]  # more than it is shown speaks of filters
        api.requests.clear()
        assert not (await write(space, api, "extractive"))[2]
