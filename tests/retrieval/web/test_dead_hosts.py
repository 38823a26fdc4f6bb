"""Addresses on hosts that do not answer come later."""

from datetime import date

import pytest

from retrieval.web.frontier import create_page, rank_pages, select_links
from retrieval.web.url_ranking import MAX_DEAD, UrlFeatures, rank_urls

TODAY = date(2026, 11, 21)


def weight(*answered: bool) -> float:
    """Of an open address, after others of its host were tried."""
    tried = [
        UrlFeatures(url=f"https://a.test/{n}", is_readable=one, relevance=0.1)
        for n, one in enumerate(answered)
    ]
    waiting = UrlFeatures(url="https://a.test/open", relevance=1.0)
    return next(one.weight for one in rank_urls([waiting, *tried], TODAY) if one.url == waiting.url)


def test_each_address_that_could_not_be_read_halves_the_weight_of_its_host() -> None:
    assert weight(False) == pytest.approx(weight() / 2, abs=1e-4)
    assert weight(False, False) == pytest.approx(weight() / 4, abs=1e-4)
    assert weight(*[False] * (MAX_DEAD + 2)) == weight(*[False] * MAX_DEAD) > 0


def test_addresses_that_could_be_read_make_up_for_it_and_lift_nothing() -> None:
    assert weight(False, True) == weight(True, True) == weight()


def test_another_host_is_asked_before_one_that_failed() -> None:
    failed = {**create_page("https://a.test/1", "mill", query="q"), "status": "failed"}
    pages = [
        failed,
        create_page("https://a.test/2", "mill", query="q"),
        create_page("https://b.test/1", "mill"),
    ]
    shown = rank_pages(pages, [0.9, 0.6, 0.6], TODAY, wants_fresh=False)  # type: ignore[arg-type]
    assert [one.url for one in shown] == ["https://b.test/1", "https://a.test/2"]


def test_a_list_of_links_tells_nothing_of_them() -> None:
    links = [("https://a.test/1", "Larkfield Mill")]
    assert select_links(links, ["- Larkfield Mill\n- Other"], 5)[0].around == ""
    said = "The loom stood in Larkfield Mill."
    assert select_links(links, [said], 5)[0].around == said
