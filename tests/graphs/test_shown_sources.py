"""What the writer of a section is shown of the sources, through the graph `section`."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fakes.openai_chat import ChatRequest
from graph_runs import speaking

from graphs.section import graph
from library.library import open_library
from retrieval.passages.context_window import estimate_tokens
from retrieval.passages.page_coverage import FEWEST_PAGES
from schema.context import Context
from schema.documents import Document
from schema.search import SearchOptions
from schema.state import PoolEntry

QUESTIONS = ["How long does a pump filter last?"]
FILTER = "A pump filter lasts 2,000 hours in a clean room and 1,500 hours in a dusty one."
FILLER = (
    "The inlet is made of steel and painted in a colour that the buyer may choose freely. " * 12
)


def fill(name: str, words: int = 150) -> str:
    """Text of about so many words that no page of another name has."""
    sentences = (f"The {name}part{n} of {name} is by the {name}door{n}." for n in range(words // 8))
    return " ".join(sentences)


def cite_first(request: ChatRequest) -> str:
    """A text that cites the first source."""
    [number, *_] = re.findall(r'<source n="(\d+)"', request.text)
    return f"It is so [{number}]."


def page(name: str, text: str, **more: str) -> Document:
    return Document(uri=f"file:///{name}", title=name, text=text, connector="files", **more)


async def show(
    space: str,
    documents: Sequence[Document],
    questions: Sequence[str] = QUESTIONS,
    **settings: Any,
) -> dict[str, str]:
    """What a writer is sent of each source, by title, in order."""
    await (await open_library(space)).store(documents)
    with speaking(cite_first) as api:
        given = {"title": "Pump filters", "questions": [*questions]}
        await graph.ainvoke(given, context=Context(space=space, **settings))
    found = re.findall(r"<source n=.*?</source>", api.requests[-1].text, re.DOTALL)
    return {title[1]: one for one in found if (title := re.search(r'title="(.*?)"', one))}


async def test_a_short_page_is_shown_whole_and_a_long_one_names_what_is_hidden(space: str) -> None:
    short = f"# Care\n\n{FILTER}\n\n## Seals\n\nSeals are greased each spring.\n"
    parts = [f"## Part {name}\n\n{FILLER}\n" for name in "ABCDEFGH"]
    long = "\n".join(
        [*parts[:4], f"## Filters\n\n{FILTER} {FILLER}\n\nKeep a spare.\n", *parts[4:]]
    )
    shown = await show(space, [page("short", short), page("long", long)], section_tokens=1_500)
    assert "Seals are greased each spring." in shown["short"]
    assert "<not_shown>" not in shown["short"]
    assert "Keep a spare." in shown["long"]
    [hidden] = re.findall(r"<not_shown>(.*)</not_shown>", shown["long"])
    names = hidden.split("; ")
    assert names == sorted(names)
    assert set(names) <= {f"Part {name}" for name in "ABCDEFGH"}
    assert all(f"## {name}\n" not in shown["long"] for name in names)


async def test_a_part_ends_with_its_code_and_says_that_text_is_left_out(space: str) -> None:
    lines = "\n".join(f"pump --filter {n} --wait" for n in range(24))
    code = f"{FILTER} {FILTER} So type:\n\n```sh\n{lines}\n```"
    long = f"## Filters\n\n{FILLER}\n\n{code}\n\n" + f"{FILLER}\n\n" * 9
    other = page("other", f"{FILTER} Says another.")
    shown = await show(space, [page("long", long), other], section_tokens=1_500)
    [text] = re.findall(r"<passage[^>]*>\n(.*?)\n</passage>", shown["long"], re.DOTALL)
    assert f"```sh\n{lines}\n```" in text
    assert text.endswith("…")


async def test_each_question_of_a_section_is_heard_before_one_is_heard_twice(space: str) -> None:
    seals = "Seals are greased each spring, and never in autumn."
    filters = [page(f"filter {n}", f"{FILTER} Says number {n * 7} of them.") for n in range(30)]
    asked = [*QUESTIONS, "When are the seals greased?"]
    shown = await show(space, [*filters, page("seals", seals)], asked)
    assert "seals" in shown
    assert len(shown) < 20


async def test_a_page_of_release_notes_is_shown_only_where_it_is_asked_for(space: str) -> None:
    told = [page("E.19. Release 15", "A pump filter lasts longer with new oil."), page("a", FILTER)]
    plain, asking = "How long does a pump filter last with new oil?", "What is new in pump filters?"
    assert list(await show(space, told, [plain])) == ["a"]
    assert len(await show(space, told, [plain, asking])) == 2


async def test_rows_are_shown_with_their_table_s_header_and_terms_with_their_definition(
    space: str,
) -> None:
    rows = "\n".join(f"| pump filter {n} | {n}00 hours of a filter's life |" for n in range(150))
    table = f"# Lives\n\nTable 1: lives\n\n| part | life |\n| --- | --- |\n{rows}\n"
    terms = "\n\n".join(f"### filter_{n}\n\nHow long pump filter {n} lasts. {FILLER}" for n in "ab")
    shown = await show(space, [page("table", table), page("terms", terms)])
    for passage in re.findall(r"<passage[^>]*>\n(.*?)</passage>", shown["table"], re.DOTALL):
        assert "| part | life |\n| --- | --- |\n|" in passage
    for heading, text in re.findall(
        r'<passage heading="(.*?)">\n(.*?)</passage>', shown["terms"], re.DOTALL
    ):
        for name in re.findall(r"How long pump filter (\w) lasts", text):
            assert f"filter_{name}" in heading + text


async def test_primary_and_recent_sources_come_first_by_name_and_date(space: str) -> None:
    told = [
        ("forum", "https://forum.pumps.test/1", "2026-01-01"),
        ("old manual", "https://docs.pumps.test/1", "2001-05-05"),
        ("manual", "https://docs.pumps.test/2", "2026-02-02"),
    ]
    shown = await show(
        space,
        [
            page(
                name,
                f"{FILTER} Says number {n}, the {name}, of page {n * 7}.",
                url=url,
                published=day,
            )
            for n, (name, url, day) in enumerate(told)
        ],
    )
    assert list(shown) == ["manual", "old manual", "forum"]
    assert 'kind="official documentation" published="2026-02-02"' in shown["manual"]


async def test_listings_are_shown_only_where_they_are_asked_for(space: str) -> None:
    changes = "\n".join(
        f"- Fixed the pump filter of size {n}, which did not last" for n in range(9)
    )
    others = [page(f"other {n}", f"A pump has part {n}. {FILLER}") for n in range(12)]
    documents = [page("filters", FILTER), page("changes", changes), *others]
    shown = await show(space, documents)
    assert "filters" in shown
    assert "changes" not in shown
    assert "changes" in await show(space, documents, ["What was fixed in pump filters?"])


async def test_of_a_small_library_every_page_that_was_found_is_shown_whole(space: str) -> None:
    answers = [page(f"filter {n}", f"{FILTER} {fill(f'hill{n}', 60)}") for n in range(4)]
    weak = [
        page(f"hall {n}", f"# Hall\n\nA red pump. {fill(f'hall{n}', 20)}\n\n## Door\n\n{n} keys.\n")
        for n in range(4)
    ]
    parts = [f"## Part {c}\n\nA pump filter. {fill(f'part{c}', 400)}\n" for c in "ABCDEFGH"]
    long = page("long", "\n".join([f"{FILTER} It is so.", *parts]))
    shown = await show(space, [*answers, *weak, long], top_k=50)
    assert len(shown) == 9
    assert all(f"{n} keys." in shown[f"hall {n}"] for n in range(4))
    assert "<not_shown>" in shown["long"]


async def test_of_few_pages_passages_are_read_that_no_search_found(space: str) -> None:
    parts = [f"## Part {c}\n\nAn inlet. {fill(f'part{c}', 400)}\n" for c in "ABCDEFGH"]
    text = "\n".join(
        [f"## Life\n\n{FILTER}\n", *parts, "## Coast\n\nA filter: 900 hours at sea.\n"]
    )
    shown = await show(space, [page("manual", text)], top_k=1, section_tokens=1_500)
    assert FILTER in shown["manual"]
    assert "900 hours at sea" in shown["manual"]
    many = [page(f"other {n}", fill(f"other{n}", 2_000)) for n in range(20)]
    many = [replace(one, text=f"## A filter\n\n{FILTER}\n\n{one.text}") for one in many]
    assert "900 hours at sea" not in str(await show(space, many, top_k=20, section_tokens=1_500))


async def test_of_many_pages_those_that_answer_weakly_are_left_out_but_for_the_best_few(
    space: str,
) -> None:
    others = [page(f"other {n}", f"A pump has a part. {fill(f'other{n}')}") for n in range(30)]
    shown = await show(space, [page("filters", FILTER), *others], top_k=50)
    assert "filters" in shown
    assert len(shown) == FEWEST_PAGES


async def test_of_many_pages_the_main_one_s_part_is_shown_from_heading_to_heading(
    space: str,
) -> None:
    ends = [f"A pump filter of the {name} lasts a year of hours." for name in ("cellar", "tower")]
    between = "\n\n".join(fill(f"gap{n}", 230) for n in range(5))
    part = f"## Filters\n\n{FILTER} {ends[0]}\n\n{between}\n\n{FILTER} {ends[1]}\n"
    manual = f"## Inlets\n\n{FILLER * 3}\n{part}\n## Outlets\n\n{FILLER * 3}\n"
    others = [page(f"other {n}", f"A filter has part {n}. {fill(f'o{n}')}") for n in range(30)]
    shown = await show(space, [page("manual", manual), *others], top_k=50)
    texts = re.findall(r"<passage[^>]*>\n(.*?)\n</passage>", shown["manual"], re.DOTALL)
    [text] = [text for text in texts if ends[0] in text]
    assert all(line in text for line in [ends[1], *between.split("\n\n")])
    assert sum(map(estimate_tokens, shown.values())) <= Context().section_tokens


async def test_sources_of_the_plan_are_heard_before_others_and_these_before_second_passages(
    space: str,
) -> None:
    library = await open_library(space)
    texts = [f"The pump of hall {n} is {n}0 years old. {fill(f'hall{n}', 60)}" for n in range(14)]
    await library.store([page(f"hall {n}", text) for n, text in enumerate(texts)])
    hits = (await library.search("pump hall years", SearchOptions(limit=50))).hits
    numbers = {document: n for n, document in enumerate(dict.fromkeys(h.document for h in hits))}
    named = max(numbers.values())
    pool = [
        PoolEntry(
            chunk=hit.chunk,
            number=numbers[hit.document],
            score=hit.score,
            sections=[0] if numbers[hit.document] == named else [],
        )
        for hit in hits
    ]
    with speaking(cite_first) as api:
        given = {"title": "Valves", "questions": ["Which valve?"], "pool": pool, "index": 0}
        await graph.ainvoke(given, context=Context(space=space, section_tokens=1_000))
    numbers_shown = re.findall(r'<source n="(\d+)"', api.requests[-1].text)
    assert str(named) in numbers_shown
    assert 1 < len(numbers_shown) < len(numbers)


async def test_of_few_pages_others_follow_where_those_of_the_plan_leave_room(space: str) -> None:
    library = await open_library(space)
    texts = [f"The pump of hall {n} is {n}0 years old. {fill(f'hall{n}', 300)}" for n in range(6)]
    await library.store([page(f"hall {n}", text) for n, text in enumerate(texts)])
    hits = (await library.search("pump hall years", SearchOptions(limit=50))).hits
    numbers = {document: n for n, document in enumerate(dict.fromkeys(h.document for h in hits))}
    pool = [
        PoolEntry(
            chunk=hit.chunk,
            number=numbers[hit.document],
            score=hit.score,
            sections=[0] if numbers[hit.document] == 5 else [],
        )
        for hit in hits
    ]
    given = {"title": "Valves", "questions": ["Which valve of hall 5?"], "pool": pool, "index": 0}
    shown = []
    for budget in (600, 4_000):
        with speaking(cite_first) as api:
            await graph.ainvoke(given, context=Context(space=space, section_tokens=budget))
        shown.append(len(re.findall(r'<source n="\d+"', api.requests[-1].text)))
    assert shown[0] < shown[1] == len(numbers)


async def test_what_is_asked_for_by_name_is_shown_where_it_is_defined(space: str) -> None:
    """Every part of the main page names the setting; the list of another page says what it is."""
    talk = "The pump_limit of a pump filter is raised where the filter of the pump lasts too short."
    main = "\n\n".join(f"## Part {n}\n\n{talk} {talk} {FILLER}" for n in range(12))
    entry = "**`pump_limit` (`integer`)**: Limits a pump. The default is 77."
    listed = f"{FILLER}\n\n## List\n\n{entry}\n\n## More\n\n{FILLER * 6}"
    others = [page(name, f"{talk} {fill(name, 600)}") for name in "abcdef"]
    documents = [page("main", main), page("settings", listed), *others]
    questions = ["How long does a pump filter last?", "When is the pump_limit of a filter raised?"]
    shown = await show(space, documents, questions, section_tokens=500)
    assert "The default is 77." in shown["settings"]
