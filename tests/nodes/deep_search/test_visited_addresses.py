"""A page that was read is not read again by another of its addresses."""

from datetime import UTC, date, datetime

from connectors.page_fetcher import FetchedDocument
from nodes.deep_search.visit import _update_pages, _Visit
from retrieval.web.frontier import create_page
from schema.deep_search import Page
from schema.documents import Document

ASKED, ENDED, OWN = "https://a.test/go", "https://a.test/mill", "https://a.test/mills/1"


def visited(page: Page) -> _Visit:
    document = Document(
        uri=OWN, url=ENDED, text="The mill.", connector="reader", fetched=datetime.now(UTC)
    )
    return _Visit(page, FetchedDocument(document, {}, (date(2026, 5, 1), 0.9)))


def test_what_a_redirect_led_to_is_read_by_each_of_its_addresses() -> None:
    pages = [
        create_page(ASKED, "Mill"),
        create_page(ENDED, "The mill"),
        create_page("https://b.test/", "Other"),
    ]
    after = {page["url"]: page for page in _update_pages(pages, [visited(pages[0])])}
    assert {url: page["status"] for url, page in after.items()} == {
        ASKED: "read",
        ENDED: "read",
        OWN: "read",
        "https://b.test/": "open",
    }
    assert after[ENDED]["updated"] == "2026-05-01"


def test_what_could_not_be_read_has_failed_by_that_address_alone() -> None:
    pages = [create_page(ASKED, "Mill"), create_page(ENDED, "The mill")]
    after = _update_pages(pages, [_Visit(pages[0], None, "it is gone")])
    assert [(page["url"], page["status"]) for page in after] == [(ASKED, "failed"), (ENDED, "open")]
