"""Which address to read next: what counts, and what no site can do for itself."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.web.url_ranking import MAX_DEAD, UrlFeatures, get_host, limit_per_host, rank_urls

TODAY = date(2026, 11, 21)
hosts = st.sampled_from(["a.test", "b.test", "www.c.test", "x.com", "d.test:8080"])
paths = st.lists(st.sampled_from(["docs", "en", "blog", "1", "2"]), max_size=6).map("/".join)
urls = st.builds(lambda host, path: f"https://{host}/{path}", hosts, paths) | st.sampled_from(
    ["", "https://[", "mailto:a@b.test", "https:///x"]
)
leads = st.lists(
    st.builds(
        UrlFeatures,
        url=urls,
        searches=st.frozensets(st.sampled_from(["q1", "q2", "q3"])),
        linked_from=st.frozensets(urls, max_size=4),
        relevance=st.floats(-1, 2),
        updated=st.none() | st.dates(date(2000, 1, 1), date(2030, 1, 1)),
        confidence=st.floats(-1, 2),
    ),
    unique_by=lambda lead: lead.url,
    max_size=12,
)


@given(leads, st.randoms(), st.booleans())
def test_weights_are_bounded_fall_and_do_not_depend_on_the_order_of_the_input(
    held: list[UrlFeatures], random: object, fresh: bool
) -> None:
    ranked = rank_urls(held, TODAY, wants_fresh=fresh)
    shuffled = list(held)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert rank_urls(shuffled, TODAY, wants_fresh=fresh) == ranked
    weights = [one.weight for one in ranked]
    assert all(0 <= weight <= 1 for weight in weights)
    assert weights == sorted(weights, reverse=True)
    assert len(weights) == len(held)


@given(leads, st.integers(1, 30), paths)
def test_a_host_cannot_lift_itself_by_repetition(
    held: list[UrlFeatures], count: int, path: str
) -> None:
    """More addresses of one host, found by the same searches, and links among them."""
    first = UrlFeatures(
        url=f"https://spam.test/{path}/a", searches=frozenset({"q1"}), relevance=0.5
    )
    before = {one.url: one.weight for one in rank_urls([*held, first], TODAY)}
    copies = [
        replace(first, url=f"https://spam.test/{path}/copy-{n}", linked_from=frozenset({first.url}))
        for n in range(count)
    ]
    linked = replace(first, linked_from=frozenset(copy.url for copy in copies))
    after = {one.url: one.weight for one in rank_urls([*held, linked, *copies], TODAY)}
    assert {url: after[url] for url in before} == before


def test_each_signal_lifts() -> None:
    plain = UrlFeatures(url="https://a.test/docs/1", searches=frozenset({"q1"}), relevance=0.5)
    other = UrlFeatures(url="https://b.test/1", searches=frozenset({"q2", "q3"}))

    def weight(lead: UrlFeatures, *more: UrlFeatures, fresh: bool = False) -> float:
        held = {one.url: one for one in rank_urls([lead, other, *more], TODAY, wants_fresh=fresh)}
        return held[plain.url].weight

    base = weight(plain)
    assert weight(replace(plain, relevance=0.6)) > base
    assert weight(replace(plain, searches=frozenset({"q1", "q2"}))) > base
    assert weight(replace(plain, linked_from=frozenset({"https://c.test/"}))) > base
    neighbour = UrlFeatures(url="https://a.test/docs/2", searches=frozenset({"q2"}))
    stranger = replace(neighbour, url="https://a.test/blog/2")
    assert weight(plain, neighbour) > weight(plain, stranger) > base
    dated = replace(plain, updated=TODAY, confidence=0.9)
    assert weight(dated) == base
    old = replace(dated, updated=TODAY - timedelta(days=900))
    assert weight(dated, fresh=True) > weight(old, fresh=True) > weight(plain, fresh=True)


@pytest.mark.parametrize("host", ["x.com", "www.x.com", "mobile.x.com"])
def test_restricted_hosts_weigh_nothing(host: str) -> None:
    (one,) = rank_urls([UrlFeatures(url=f"https://{host}/1", relevance=1.0)], TODAY)
    assert one.weight == 0
    (other,) = rank_urls([UrlFeatures(url="https://notx.com/1", relevance=1.0)], TODAY)
    assert other.weight > 0.5


@given(leads, st.integers(1, 3))
def test_no_host_takes_more_than_its_share(held: list[UrlFeatures], most: int) -> None:
    weighed = rank_urls(held, TODAY)
    kept = limit_per_host(weighed, most)
    assert [one for one in weighed if one in kept] == kept
    assert limit_per_host(kept, most) == kept
    assert all(one in kept for one in limit_per_host(weighed, 1))
    assert max(Counter(get_host(one.url) for one in kept).values(), default=0) <= most


def weight_after(*answered: bool) -> float:
    """Of an open address, after others of its host were tried."""
    tried = [
        UrlFeatures(url=f"https://a.test/{n}", is_readable=one, relevance=0.1)
        for n, one in enumerate(answered)
    ]
    waiting = UrlFeatures(url="https://a.test/open", relevance=1.0)
    return next(one.weight for one in rank_urls([waiting, *tried], TODAY) if one.url == waiting.url)


def test_each_address_that_could_not_be_read_halves_the_weight_of_its_host() -> None:
    assert weight_after(False) == pytest.approx(weight_after() / 2, abs=1e-4)
    assert weight_after(False, False) == pytest.approx(weight_after() / 4, abs=1e-4)
    assert weight_after(*[False] * (MAX_DEAD + 2)) == weight_after(*[False] * MAX_DEAD) > 0


def test_addresses_that_could_be_read_make_up_for_it_and_lift_nothing() -> None:
    assert weight_after(False, True) == weight_after(True, True) == weight_after()
