"""What a space keeps beside its sources: recalled on its own, and never taken for a source."""

import pytest
from library_pages import page, texts

from library.library import Library, open_library
from library.memory import MAX_DOCUMENTS, recall

QUERY = "How do grey herons fish?"
HERONS = "Grey herons fish at dawn. They stand in shallow water until a fish comes near."
WEAK = "A cook may fish for a spoon with all the patience there is."


async def test_what_a_part_holds_is_recalled_with_its_title_first(library: Library) -> None:
    await library.open_part("memory").store([page("r", HERONS, title="On herons")])
    assert await recall(library, "memory", [QUERY], 500) == [f"On herons\n{HERONS}"]
    assert await recall(library, "memory", [QUERY], 23) == [f"On herons\n{HERONS[:23]}"]


async def test_weak_matches_bring_nothing(library: Library) -> None:
    memory = library.open_part("memory")
    await memory.store([page("weak", WEAK, title="Spoons")])
    assert (await memory.search(QUERY)).hits  # it is found
    assert await recall(library, "memory", [QUERY], 500) == []
    await memory.store([page("good", HERONS, title="On herons")])
    assert await recall(library, "memory", [QUERY], 500) == [f"On herons\n{HERONS}"]


async def test_the_best_of_all_queries_come_first_and_are_no_more_than_a_few(
    library: Library,
) -> None:
    birds = ["heron", "otter", "plover", "linnet"]
    await library.open_part("memory").store(
        [page(bird, f"The {bird} is seen in March.", title=bird) for bird in birds]
        + [page("far", "The linnet nests.", title="nests")]
    )
    queries = [f"{bird} seen in March" for bird in birds]
    found = await recall(library, "memory", [*queries, "heron"], 100)
    assert len(found) == MAX_DOCUMENTS
    assert set(found) < {f"{bird}\nThe {bird} is seen in March." for bird in birds}
    [first, second, *_] = await recall(library, "memory", ["linnet nests"], 0)
    assert (first, second) == ("nests\n", "linnet\n")
    [first, second, *_] = await recall(library, "memory", ["linnet nests", queries[3]], 0)
    assert (first, second) == ("linnet\n", "nests\n")  # the better of its two counts


@pytest.mark.parametrize("query", [[], [""], ["?!"], [QUERY]])
@pytest.mark.parametrize("part", ["memory", "skill"])
async def test_an_empty_part_brings_nothing(library: Library, part: str, query: list[str]) -> None:
    assert await recall(library, part, query, 500) == []  # type: ignore[arg-type]


async def test_memory_and_templates_are_parts_of_their_own(
    library: Library, fresh: Library
) -> None:
    await library.open_part("memory").store([page("r", HERONS, title="Report")])
    await library.open_part("skill").store([page("r", HERONS, title="Template")])
    assert await recall(library, "memory", [QUERY], 0) == ["Report\n"]
    assert await recall(library, "skill", [QUERY], 0) == ["Template\n"]
    assert await recall(fresh, "memory", [QUERY], 0) == []


async def test_a_search_of_the_sources_sees_no_part(library: Library) -> None:
    for part in ("memory", "skill"):
        await library.open_part(part).store([page(part, f"Kept. {HERONS}")])  # type: ignore[arg-type]
    assert await texts(library, QUERY) == []
    assert await library.count() == (0, 0)
    await library.store([page("source", HERONS)])
    assert await texts(library, QUERY) == [HERONS]
    assert await library.count() == (1, 1)
    assert [one.uri for one in await library.look_up("source")] == ["source"]
    assert await library.look_up("memory") == []
    assert await library.load_text("memory") is None


async def test_a_part_can_be_opened_by_its_name(library: Library) -> None:
    await library.open_part("memory").store([page("r", HERONS)])
    assert await (await open_library(f"{library.space}~memory")).count() == (1, 1)
