"""Pages that wait to be read: what is kept of them, and what links say."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from pages_found import WORD, closed, opened, pages, urls, visited

from retrieval.web.canonical_url import normalise_url
from retrieval.web.frontier import (
    MAX_DESCRIPTION,
    MAX_PAGES,
    create_page,
    merge_pages,
    select_links,
)
from schema.deep_search import Page


def by_uri(some: Sequence[Page]) -> dict[str, Page]:
    return {normalise_url(page["url"]): page for page in some}


def test_a_page_is_known_by_what_was_said_of_it() -> None:
    page = create_page("https://a.test/", " The \n mill ", query="q", day="2024-05-01")
    assert page["words"] == "The mill"
    assert (page["searches"], page["linked_from"], page["status"]) == (["q"], [], "open")
    assert page["updated"] == page["published"] == "2024-05-01"
    assert 0 < page["confidence"] < 1
    linked = create_page("https://a.test/", "word " * 200, page="https://b.test/")
    assert len(linked["words"]) == MAX_DESCRIPTION
    assert (linked["searches"], linked["linked_from"]) == ([], ["https://b.test/"])
    assert linked["confidence"] == 0


@given(pages, st.lists(opened, max_size=12))
def test_each_page_has_one_entry_which_gains_by_what_is_newly_known(
    known: list[Page], more: list[Page]
) -> None:
    merged = merge_pages(known, more)
    uris = [normalise_url(page["url"]) for page in merged]
    assert len(set(uris)) == len(uris)
    assert set(uris) == {normalise_url(page["url"]) for page in [*known, *more]}
    assert uris[: len(known)] == [normalise_url(page["url"]) for page in known]
    after = by_uri(merged)
    for page in [*known, *more]:
        held = after[normalise_url(page["url"])]
        assert page["words"] in held["words"]
        assert set(page["searches"]) <= set(held["searches"])
        assert set(page["linked_from"]) <= set(held["linked_from"])
    for held in merged:
        for told in (held["searches"], held["linked_from"], held["words"].split(" · ")):
            assert len(told) == len(set(told))
    for uri, page in by_uri(known).items():  # what was read or failed stays so
        assert (after[uri]["status"], after[uri]["url"]) == (page["status"], page["url"])
    # hearing the same again changes nothing
    assert merge_pages(merged, more) == merge_pages(merged, merged) == merged


@given(st.lists(opened | closed, max_size=12), st.randoms())
def test_the_order_of_finding_changes_only_the_order(some: list[Page], random: object) -> None:
    """Of dates the surest counts, with its own confidence."""
    shuffled = list(some)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    def told(held: Sequence[Page]) -> dict[str, object]:
        return {
            uri: (
                sorted(page["words"].split(" · ")),
                sorted(page["searches"]),
                sorted(page["linked_from"]),
                page["updated"],
                page["confidence"],
            )
            for uri, page in by_uri(merge_pages([], held)).items()
        }

    assert told(some) == told(shuffled)
    stated = {(normalise_url(p["url"]), p["updated"], p["confidence"]) for p in some}
    assert {
        (normalise_url(p["url"]), p["updated"], p["confidence"]) for p in merge_pages([], some)
    } <= stated


def test_no_more_is_kept_in_mind_than_a_checkpoint_bears() -> None:
    known = merge_pages(
        [], [create_page(f"https://a.test/{n}", "word " * 70) for n in range(MAX_PAGES + 20)]
    )
    assert [page["url"] for page in known] == [f"https://a.test/{n}" for n in range(MAX_PAGES)]
    read = [visited(page) for page in known]
    again = merge_pages(
        read, [create_page(f"https://a.test/{n}", "other words") for n in range(MAX_PAGES + 20)]
    )
    assert [(page["url"], page["status"]) for page in again] == [
        (page["url"], "read") for page in known
    ]
    assert all(len(page["words"]) <= MAX_DESCRIPTION for page in again)


SAID = "The mill burned in 1912. It was rebuilt in Larkfield by its owner. 该工厂位于北京。"


def test_a_page_that_a_search_found_takes_the_place_of_one_that_is_only_linked_to() -> None:
    hub = "https://b.test/"
    named = create_page("https://a.test/named", "Somebody asked for this very page.")
    read = [visited(create_page(f"https://a.test/{n}", page=hub)) for n in range(MAX_PAGES - 4)]
    both = create_page("https://a.test/both", query="q", page=hub)
    stay = [named, *read, both]
    known = [
        create_page("https://a.test/x", page=hub),
        *stay,
        create_page("https://a.test/y", page=hub),
    ]
    links = [create_page("https://c.test/link", page=hub)]
    hits = [create_page(f"https://c.test/{n}", query="q") for n in range(3)]
    assert merge_pages(known, links) == known
    assert merge_pages(known, hits[:1]) == [*known[:-1], hits[0]]
    assert merge_pages(known, hits) == [*stay, *hits[:2]]


def test_a_link_in_a_telling_sentence_comes_first_and_brings_the_sentence() -> None:
    links = [("https://a.test/about", "About us"), ("https://a.test/l", "Larkfield")]
    first, second = select_links(links, [SAID], 5)
    assert (first.url, first.words) == ("https://a.test/l", "Larkfield")
    assert first.around == "It was rebuilt in Larkfield by its owner."
    assert (second.url, second.around) == ("https://a.test/about", "")
    assert select_links(links, [SAID], 1) == [first]


def test_a_link_may_be_a_name_of_two_characters_but_not_a_mark() -> None:
    links = [("https://a.test/1", "in"), ("https://a.test/2", "1"), ("https://a.test/3", "北京")]
    assert [(link.url[-1], link.around) for link in select_links(links, [SAID], 5)] == [
        ("3", "该工厂位于北京。"),
        ("1", ""),
        ("2", ""),
    ]


@given(
    st.lists(st.tuples(urls, WORD | st.text(max_size=5)), unique_by=lambda link: link[0]),
    st.lists(st.lists(WORD, max_size=5).map(" ".join) | st.text(max_size=30), max_size=4),
    st.integers(0, 9),
)
def test_links_are_kept_in_order_each_with_words_that_a_snippet_holds(
    links: list[tuple[str, str]], snippets: list[str], most: int
) -> None:
    kept = select_links(links, snippets, most)
    everything = select_links(links, snippets, len(links))
    assert kept == everything[:most]
    assert sorted((link.url, link.words) for link in everything) == sorted(links)
    assert everything == sorted(
        everything, key=lambda link: (not link.around, links.index((link.url, link.words)))
    )
    for link in everything:
        assert not link.around or link.words in link.around
        assert not link.around or any(link.around in text for text in snippets)


def test_a_list_of_links_tells_nothing_of_them() -> None:
    links = [("https://a.test/1", "Larkfield Mill")]
    assert select_links(links, ["- Larkfield Mill\n- Other"], 5)[0].around == ""
    said = "The loom stood in Larkfield Mill."
    assert select_links(links, [said], 5)[0].around == said
