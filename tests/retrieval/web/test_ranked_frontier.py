"""Which of the pages that wait are shown, and in what order."""

from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages_found import pages, visited

from retrieval.web.canonical_url import normalise_url
from retrieval.web.frontier import (
    MAX_PER_HOST,
    create_page,
    propagate_relevance,
    rank_pages,
    scale_relevance,
)
from retrieval.web.url_ranking import get_host
from schema.deep_search import Page

TODAY = date(2026, 11, 21)


@given(pages, st.data(), st.booleans())
def test_only_open_pages_are_shown_the_best_first_and_few_of_a_host(
    known: list[Page], data: st.DataObject, fresh: bool
) -> None:
    share = st.floats(0, 1)
    relevance = data.draw(st.lists(share, min_size=len(known), max_size=len(known)))
    shown = rank_pages(known, relevance, TODAY, wants_fresh=fresh)
    waiting = {page["url"] for page in known if page["status"] == "open"}
    assert {one.url for one in shown} <= waiting
    assert [one.weight for one in shown] == sorted((one.weight for one in shown), reverse=True)
    assert all(0 < one.weight <= 1 for one in shown)
    assert max(Counter(get_host(one.url) for one in shown).values(), default=0) <= MAX_PER_HOST
    relevant = {page["url"] for page, s in zip(known, relevance, strict=True) if s > 0.01}
    hosts = {get_host(url) for url in relevant & waiting} - {"x.com"}
    assert hosts <= {get_host(one.url) for one in shown}
    assert "x.com" not in {get_host(one.url) for one in shown}


def test_a_page_that_was_read_still_tells_of_its_host() -> None:
    waiting = create_page("https://a.test/docs/2", "Two", query="q1")
    read = visited(create_page("https://a.test/docs/1", "One", query="q2"))
    elsewhere = visited(create_page("https://b.test/docs/1", "One", query="q2"))
    [near] = rank_pages([waiting, read], [0.5, 0.5], TODAY, wants_fresh=False)
    [far] = rank_pages([waiting, elsewhere], [0.5, 0.5], TODAY, wants_fresh=False)
    assert near.url == far.url == waiting["url"]
    assert near.weight > far.weight


def test_pages_that_were_read_take_no_place_of_those_that_wait() -> None:
    read = [visited(create_page(f"https://a.test/{n}", query="q")) for n in range(MAX_PER_HOST)]
    waiting = [create_page(f"https://a.test/waiting/{n}") for n in range(MAX_PER_HOST + 1)]
    relevance = [*[1.0] * len(read), 0.1, *[0.3] * MAX_PER_HOST]
    shown = rank_pages([*read, *waiting], relevance, TODAY, wants_fresh=False)
    assert [one.url for one in shown] == [page["url"] for page in waiting[1:]]


def test_a_new_page_comes_first_where_the_question_asks_for_what_is_new() -> None:
    old = create_page("https://a.test/", "One", day="2019-01-01")
    new = create_page("https://b.test/", "Two", day="2026-11-01T10:00:00Z")
    vague = create_page("https://c.test/", "Three", day="last week")
    known = [old, new, vague]
    assert rank_pages(known, [0.6, 0.5, 0.5], TODAY, wants_fresh=False)[0].url == old["url"]
    assert rank_pages(known, [0.6, 0.5, 0.5], TODAY, wants_fresh=True)[0].url == new["url"]


def test_a_page_passes_relevance_on_to_where_it_leads_and_less_to_what_lies_behind() -> None:
    known = [
        create_page("https://a.test/hub"),
        create_page("https://b.test/", "Two", page="https://www.a.test/hub#links"),
        create_page("https://c.test/", "Three", page="https://b.test/"),
        create_page("https://d.test/", "Four", page="https://unknown.test/"),
    ]
    hub, linked, behind, stranger = propagate_relevance(known, [0.8, 0.0, 0.0, 0.0])
    assert hub == 0.8 > linked > behind > stranger == 0
    shown = rank_pages(known, [0.8, 0.0, 0.0, 0.0], TODAY, wants_fresh=False)
    assert [one.url for one in shown][:3] == [page["url"] for page in known[:3]]
    assert shown[1].parts["relevance"] > shown[2].parts["relevance"] > 0


@given(pages, st.data())
def test_relevance_that_is_passed_on_is_added_within_bounds(
    known: list[Page], data: st.DataObject
) -> None:
    """Also where pages lead to each other in a circle, or to themselves."""
    own = data.draw(st.lists(st.floats(0, 1), min_size=len(known), max_size=len(known)))
    told = {normalise_url(page["url"]) for page in known}
    for page, before, total in zip(known, own, propagate_relevance(known, own), strict=True):
        assert before <= total <= 1
        assert total == before or told & {normalise_url(url) for url in page["linked_from"]}


ranges = st.sampled_from([(0.0, 1.0), (-1.0, 2.0), (-1e308, 1e308)])


@given(ranges.flatmap(lambda ends: st.lists(st.floats(*ends))))
def test_scores_of_any_reranker_become_shares_in_the_same_order(given_scores: list[float]) -> None:
    made = scale_relevance(given_scores)
    assert all(0 <= share <= 1 for share in made)
    pairs = sorted(zip(given_scores, made, strict=True))
    assert [share for _, share in pairs] == sorted(made)


@pytest.mark.parametrize(
    ("given_scores", "made"),
    [
        ([0.25, 0.0, 1.0], [0.25, 0.0, 1.0]), ([5.0, 20.0, 0.0], [0.25, 1.0, 0.0]),
        ([0.75, 1.5], [0.5, 1.0]), ([0.0, -1e9, 1e9], [0.5, 0.0, 1.0]), ([], []),
    ],
)  # fmt: skip
def test_shares_keep_what_is_one_and_scale_what_is_not(
    given_scores: list[float], made: list[float]
) -> None:
    assert scale_relevance(given_scores) == pytest.approx(made)


def test_another_host_is_asked_before_one_that_failed() -> None:
    failed = visited(create_page("https://a.test/1", "mill", query="q"), "failed")
    pages = [
        failed,
        create_page("https://a.test/2", "mill", query="q"),
        create_page("https://b.test/1", "mill"),
    ]
    shown = rank_pages(pages, [0.9, 0.6, 0.6], TODAY, wants_fresh=False)
    assert [one.url for one in shown] == ["https://b.test/1", "https://a.test/2"]
