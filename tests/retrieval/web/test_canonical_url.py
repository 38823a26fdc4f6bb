"""One uri for the addresses of a page, one document for its findings."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.web.canonical_url import (
    LARGEST_EXCERPTS,
    join_excerpts,
    merge_documents,
    normalise_url,
)
from schema.documents import Document


@pytest.mark.parametrize(
    "url",
    [
        "http://www.Farm.test:80/Wind/",
        "https://farm.test/Wind",
        "https://farm.test:443/Wind#blades",
        "https://farm.test/Wind/?utm_source=x&UTM_campaign=y&gclid=z",
    ],
)
def test_addresses_of_one_page_have_one_uri(url: str) -> None:
    assert normalise_url(url) == "https://farm.test/Wind"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://farm.test/Wind", "https://farm.test/wind"),
        ("https://farm.test/?id=1", "https://farm.test/?id=2"),
        ("https://farm.test:8080/", "https://farm.test/"),
        ("https://a.farm.test/", "https://farm.test/"),
    ],
)
def test_other_pages_have_another(one: str, other: str) -> None:
    assert normalise_url(one) != normalise_url(other)


@given(st.text(max_size=60).map("https://farm.test/".__add__) | st.text(max_size=40))
def test_a_page_uri_is_its_own(text: str) -> None:
    assert normalise_url(normalise_url(text)) == normalise_url(text)
    for other in ("", "file:///a", "arxiv:1", "https://", "http://[", "a b", "HTTP://x:99999/"):
        assert normalise_url(other) == other  # what is no web address


PAGE = Document(uri="https://farm.test/wind", text="Wind turns the blades.", connector="a")
EXCERPTS = [
    replace(PAGE, text="Blades turn.", connector="b", excerpt=True, title="Wind"),
    replace(PAGE, uri="http://www.farm.test/wind/", text="Wind", connector="c", excerpt=True),
    replace(PAGE, text="Another excerpt.", connector="d", excerpt=True, published="2024-05-01"),
]


def test_the_longest_page_read_in_full_stands_for_all_whatever_their_order() -> None:
    longer = replace(PAGE, text="Wind turns the blades of a turbine.", connector="z")
    for found in permutations([PAGE, longer, *EXCERPTS]):
        (one,) = merge_documents(found)
        assert (one.text, one.connector, one.excerpt) == (longer.text, "z", False)
        assert (one.title, one.published, one.uri) == ("Wind", "2024-05-01", PAGE.uri)


def test_distinct_excerpts_stand_together_where_no_page_was_read() -> None:
    texts = set()
    for found in permutations([*EXCERPTS, replace(EXCERPTS[0], text="turn.")]):
        (one,) = merge_documents(found)
        assert one.excerpt
        texts.add(one.text)
    (text,) = texts
    assert sorted(text.split("\n\n")) == ["Another excerpt.", "Blades turn.", "Wind"]


def test_pages_keep_apart_and_in_order() -> None:
    other = replace(PAGE, uri="https://farm.test/sun")
    assert [one.uri for one in merge_documents([other, PAGE, other])] == [other.uri, PAGE.uri]
    assert merge_documents([]) == []


@given(st.lists(st.text(min_size=1, max_size=30), max_size=8))
def test_every_excerpt_is_in_the_joined_text(texts: list[str]) -> None:
    joined = join_excerpts(texts)
    assert all(text.strip() in joined for text in texts)
    assert join_excerpts([joined, *texts]) == joined


def test_excerpts_do_not_grow_without_end() -> None:
    assert len(join_excerpts(f"{n} " * 900 for n in range(99))) < LARGEST_EXCERPTS * 1.1
