"""Pages that wait to be read: one entry a page, whatever led to it, and its rank."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from retrieval.web.canonical_url import normalise_url
from retrieval.web.last_modified import parse_iso_date
from retrieval.web.url_ranking import RankedUrl, UrlFeatures, limit_per_host, rank_urls
from schema.deep_search import Page
from text.sentences import split_sentences

MAX_PAGES = 100
"""Pages that are kept in mind; keeps a checkpoint small."""

MAX_DESCRIPTION = 300
"""Characters of what is said of one page."""

MAX_PER_HOST = 8
"""Pages of one host that are shown at once."""

MIN_LENGTH_RATIO = 1.5
"""How many times longer than a link's words a sentence is that says something of them."""

PROPAGATED_SHARE = 0.5
"""Share of its relevance that a page passes on to those it links to."""

PROPAGATION_ROUNDS = 3
"""Pages in a row that relevance is passed on over."""


def create_page(
    url: str, words: str = "", *, query: str = "", page: str = "", excerpt: int = 0, day: str = ""
) -> Page:
    """A page as a search or another page told of it.

    Args:
        url: its address.
        words: title and excerpt, or what the link says.
        query: that found it.
        page: the address that links to it.
        excerpt: the stored document of what the search engine said of it.
        day: of publication, as the search engine gave it, ISO 8601.
    """
    return Page(
        url=url,
        words=" ".join(words.split())[:MAX_DESCRIPTION],
        searches=[query] if query else [],
        linked_from=[page] if page else [],
        excerpt=excerpt,
        published=day,
        updated=day,
        confidence=0.65 if day else 0.0,
        status="open",
    )


def merge_pages(known: Sequence[Page], more: Iterable[Page]) -> list[Page]:
    """The pages with what is newly known of them, no more than `MAX_PAGES`.

    Where there is no room, a page that a search found takes the place of one that a link alone
    leads to; what was read or tried stays.
    """
    by_uri = {normalise_url(page["url"]): page for page in known}
    for page in more:
        uri = normalise_url(page["url"])
        held = by_uri.get(uri)
        if held is None:
            if len(by_uri) >= MAX_PAGES and page["searches"]:
                _drop_linked_page(by_uri)
            if len(by_uri) < MAX_PAGES:
                by_uri[uri] = page
            continue
        surest = max(held, page, key=lambda one: (one["confidence"], one["updated"]))
        words = held["words"]
        if page["words"] and page["words"] not in words:
            words = f"{words} · {page['words']}"[:MAX_DESCRIPTION] if words else page["words"]
        by_uri[uri] = Page(
            url=held["url"],
            words=words,
            searches=_merge_unique(held["searches"], page["searches"]),
            linked_from=_merge_unique(held["linked_from"], page["linked_from"]),
            excerpt=held["excerpt"] or page["excerpt"],
            published=held["published"] or page["published"],
            updated=surest["updated"],
            confidence=surest["confidence"],
            status=held["status"],
        )
    return list(by_uri.values())


def rank_pages(
    pages: Sequence[Page], relevance: Sequence[float], today: date, *, wants_fresh: bool
) -> list[RankedUrl]:
    """The open pages worth reading, best first, the best `MAX_PER_HOST` of each host.

    Args:
        pages: all that are known: also those that were read tell of their hosts.
        relevance: of each, in 0..1; see `scale_relevance`.
        today: what ages are counted to.
        wants_fresh: whether the question asks for what is new.
    """
    leads = [
        UrlFeatures(
            url=page["url"],
            searches=frozenset(page["searches"]),
            linked_from=frozenset(page["linked_from"]),
            relevance=share,
            updated=parse_iso_date(page["updated"]),
            confidence=page["confidence"],
            is_readable=None if page["status"] == "open" else page["status"] == "read",
        )
        for page, share in zip(pages, propagate_relevance(pages, relevance), strict=True)
    ]
    still_open = {page["url"] for page in pages if page["status"] == "open"}
    weighed = rank_urls(leads, today, wants_fresh=wants_fresh)
    return limit_per_host(
        [one for one in weighed if one.url in still_open and one.weight > 0], MAX_PER_HOST
    )


def propagate_relevance(pages: Sequence[Page], relevance: Sequence[float]) -> list[float]:
    """The relevance of pages with a share of that of the best page that leads to each.

    A link's own words often say nothing of the question: what a page on its subject links to is
    worth reading all the same. Shark-search (Hersovici et al., 1998) lets pages inherit so.
    """
    places = {normalise_url(page["url"]): place for place, page in enumerate(pages)}
    leading = [
        [places[uri] for uri in map(normalise_url, page["linked_from"]) if uri in places]
        for page in pages
    ]
    total = list(relevance)
    for _ in range(PROPAGATION_ROUNDS):
        total = [
            min(1.0, own + PROPAGATED_SHARE * max((total[at] for at in above), default=0.0))
            for own, above in zip(relevance, leading, strict=True)
        ]
    return total


@dataclass(frozen=True)
class PageLink:
    """A link of a page that was read: where to, what it says, where it was found."""

    url: str
    words: str
    around: str


def select_links(
    links: Iterable[tuple[str, str]], snippets: Sequence[str], most: int
) -> list[PageLink]:
    """The links of a page that can be ranked, those inside its telling passages first.

    A link is often called by a name alone ("Larkfield"); the sentence it stands in says what it has
    to do with the question.

    Args:
        links: (address, words) in the page's order.
        snippets: the passages of the page that speak of the question.
        most: links that are kept.
    """
    said = [
        text[one.start : one.end]
        for text in snippets
        for one in split_sentences(text)
        if len(text) > 1
    ]
    inside: list[PageLink] = []
    others: list[PageLink] = []
    for url, words in links:
        telling = len(words) > (2 if words.isascii() else 1)  # 北京 is a name, "in" is none
        more = len(words) * MIN_LENGTH_RATIO  # a list of links says no more than their names
        around = next((one for one in said if telling and words in one and len(one) > more), "")
        (inside if around else others).append(PageLink(url, words, around))
    return [*inside, *others][:most]


def scale_relevance(scores: Sequence[float]) -> list[float]:
    """Scores of any reranker as relevance in 0..1, in the same order.

    Logits go through the logistic function, scores beyond 1 become shares of the best; what lies
    in 0..1 stays.
    """
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if low < 0:
        return [_logistic(score) for score in scores]
    return [score / high for score in scores] if high > 1 else list(scores)


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, value))))


def _drop_linked_page(by_uri: dict[str, Page]) -> None:
    """Drop the last open page that only links lead to, if there is one."""
    linked = [
        uri
        for uri, page in by_uri.items()
        if page["status"] == "open" and page["linked_from"] and not page["searches"]
    ]
    if linked:
        del by_uri[linked[-1]]


def _merge_unique(one: Iterable[str], other: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*one, *other]))
