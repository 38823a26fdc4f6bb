"""The walk: from what was found along links and symbols."""

import pytest
from library_pages import ask, page, uris

from library.library import Library
from schema.search import Filters


@pytest.fixture
async def notes(library: Library) -> Library:
    """Notes that link to each other: c -> a -> b -> d, and [[wiki]] links both ways."""
    await library.store(
        [
            page("file:///n/a.md", "Herons fish. [Next](b.md)"),
            page("file:///n/b.md", "Storks nest. See [far](sub/d.md).", connector="other"),
            page("file:///n/c.md", "Kites soar; [back](a.md#top)."),
            page("file:///n/sub/d.md", "Owls hoot."),
            page("file:///n/e.md", "Gulls cry: [[Red Notes|there]] and [[The Terns]]."),
            page("file:///n/f.md", "Ducks swim.", title="Red notes"),
            page("file:///n/g.md", "Divers dive.", aliases=("the terns",)),
            page("web:1", "Geese graze.", url="https://example.org/geese"),
            page("file:///n/h.md", "Swans glide, as https://example.org/geese says."),
        ]
    )
    return library


async def hops(library: Library, query: str, **options: object) -> dict[str, int]:
    found = await ask(library, query, **options)
    infos = await library.load_documents([hit.document for hit in found.hits])
    return {infos[hit.document].uri.rsplit("/", 1)[-1]: hit.hop for hit in found.hits}


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (0, {"a.md": 0}),
        (1, {"a.md": 0, "b.md": 1, "c.md": 1}),  # links lead both ways
        (2, {"a.md": 0, "b.md": 1, "c.md": 1, "d.md": 2}),
    ],
)
async def test_each_step_leads_further(
    notes: Library, depth: int, expected: dict[str, int]
) -> None:
    assert await hops(notes, "herons", walk_depth=depth) == expected


async def test_a_neighbour_scores_less_with_every_step(notes: Library) -> None:
    hits = (await ask(notes, "herons", walk_depth=2)).hits
    assert [hit.score for hit in hits] == pytest.approx([1, 1 / 2, 1 / 2, 1 / 3], abs=1e-4)
    assert [hit.retriever_scores.keys() for hit in hits[1:]] == [{"walk"}] * 3
    assert hits[1].retriever_scores["walk"] == hits[1].score


@pytest.mark.parametrize(
    ("query", "reached"),
    [
        ("gulls", {"f.md", "g.md"}),
        ("ducks", {"e.md"}),
        ("divers", {"e.md"}),
        ("swans", {"web:1"}),
        ("geese", {"h.md"}),
    ],
)
async def test_names_and_urls_lead_both_ways(notes: Library, query: str, reached: set[str]) -> None:
    found = await hops(notes, f"{query} zzz", retrievers=["lexical"], walk_depth=1)
    assert {name for name, hop in found.items() if hop == 1} == reached - {
        name for name, hop in found.items() if hop == 0
    }
    assert reached <= found.keys()


async def test_filters_hold_for_what_a_walk_reaches(notes: Library) -> None:
    kept = Filters(not_connectors=["other"])
    assert await hops(notes, "herons", walk_depth=2, filters=kept) == {"a.md": 0, "c.md": 1}


async def test_what_was_found_anyway_keeps_its_better_score(notes: Library) -> None:
    found = await ask(notes, "herons storks", walk_depth=1)
    by_hop = {hit.hop for hit in found.hits if "lexical" in hit.retriever_scores}
    assert by_hop == {0}


async def test_a_link_to_nothing_leads_nowhere(library: Library) -> None:
    await library.store([page("a", "Herons. [x](http://nowhere) [[Nothing]] [y](a)")])
    assert await hops(library, "herons", walk_depth=2) == {"a": 0}


async def test_the_links_of_an_older_version_are_forgotten(notes: Library) -> None:
    await notes.store([page("file:///n/a.md", "Herons fish alone.")])
    assert await hops(notes, "herons", walk_depth=1) == {"a.md": 0, "c.md": 1}


RAKE = '''
class Hand:
    """Holds a tool."""

    def grip(self, tool):
        """Fingers close."""
        return tool


def rake_leaves(garden):
    """Autumn work."""
    return sorted(garden)
'''
WORK = '''
from tools.rake import rake_leaves


def saturday(garden):
    """A morning outside."""
    return rake_leaves(garden)
'''
PLAN = """
import tools.rake as tool

WEEK = "calendar"
"""
OTHER = '''
def rake_leaves(garden):
    """A namesake of quite another sort."""
'''


@pytest.fixture
async def code(library: Library) -> Library:
    """Source files that call and import each other."""
    await library.store(
        [
            page("file:///p/tools/rake.py", RAKE),
            page("file:///p/work.py", WORK),
            page("file:///p/plan.py", PLAN),
            page("file:///p/other.js", "function bake() { return 1 }\n"),
        ]
    )
    return library


async def test_a_call_leads_to_the_definition_and_back(code: Library) -> None:
    assert (await hops(code, "saturday morning", walk_depth=1))["rake.py"] == 1
    found = await hops(code, "autumn", walk_depth=1)
    assert found == {"rake.py": 0, "work.py": 1, "plan.py": 1}


async def test_an_import_leads_to_the_file(code: Library) -> None:
    assert await hops(code, "calendar", walk_depth=1) == {"plan.py": 0, "rake.py": 1}


async def test_two_calls_of_one_name_are_no_neighbours(code: Library) -> None:
    await code.store([page("file:///p/again.py", "def sunday(garden):\n    rake_leaves(garden)\n")])
    found = await hops(code, "saturday", walk_depth=1)
    assert "again.py" not in found
    assert (await hops(code, "saturday", walk_depth=2))["again.py"] == 2


@pytest.mark.parametrize("symbol", ["rake_leaves", "grip", "Hand.grip", "Hand"])
async def test_a_search_may_start_near_a_symbol(code: Library, symbol: str) -> None:
    found = await ask(code, "volcano", near_symbol=symbol)
    assert await hops(code, "volcano", near_symbol=symbol) == {"rake.py": 0}
    assert found.hits[0].grade == "exact"
    near = await hops(code, "volcano", near_symbol=symbol, walk_depth=1)
    assert near == {"rake.py": 0, "work.py": 1, "plan.py": 1}


@pytest.mark.parametrize("symbol", ["Foot.grip", "rake", "leaves", "\0", "\ud83d", "%", "."])
async def test_an_unknown_symbol_starts_nothing(code: Library, symbol: str) -> None:
    options = {"near_symbol": symbol, "walk_depth": 1, "filters": Filters(symbol_kind="method")}
    assert await hops(
        code, "volcano", **(options if symbol == "rake" else {"near_symbol": symbol})
    ) == ({"rake.py": 0} if symbol == "rake" else {})


async def test_filters_hold_for_the_symbol_too(code: Library) -> None:
    await code.store([page("file:///q/other.py", OTHER)])
    every = await hops(code, "volcano", near_symbol="rake_leaves")
    assert every == {"rake.py": 0, "other.py": 0}
    kept = Filters(under=["file:///q"])
    found = await hops(code, "volcano", near_symbol="rake_leaves", walk_depth=2, filters=kept)
    assert found == {"other.py": 0}


async def test_a_walk_in_documents_mode_brings_documents(notes: Library) -> None:
    found = await uris(notes, "herons", mode="documents", limit=3, walk_depth=1)
    assert found == ["file:///n/a.md", "file:///n/b.md", "file:///n/c.md"]


async def test_a_walk_repeats(notes: Library) -> None:
    runs = [await ask(notes, "herons gulls", walk_depth=2, limit=20) for _ in range(2)]
    assert runs[0] == runs[1]
