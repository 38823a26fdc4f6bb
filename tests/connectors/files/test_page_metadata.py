"""What a page says of itself is taken from where it says so, and from nowhere else."""

import json
from typing import Any

import pytest

from connectors.files.web_page import parse_web_page

TEXT = "<p>A turbine turns wind into power, on the coast and wherever else the wind is steady.</p>"


def read(head: str = "", body: str = "", address: str = "") -> dict[str, Any]:
    """What is said of a page with this head, and this body before its text."""
    page = f"<html><head>{head}</head><body>{body}{TEXT}</body></html>"
    main: dict[str, Any] = parse_web_page(page.encode(), address, "quire", True)["main"]
    assert "turns wind into power" in main["text"]
    return main


def data(**fields: Any) -> str:
    record = json.dumps({"@context": "https://schema.org", **fields})
    return f'<script type="application/ld+json">{record}</script>'


BOX = '<div class="warning"><h3 class="title">Warning</h3><p>It is loud.</p></div>'
NAMED = "<title>Of turbines</title>"


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (NAMED, BOX),
        (NAMED, f"<h2><span class='refentrytitle'>Of turbines</span></h2>{BOX}"),
        ("<title>Of turbines — Wind 3.1 documentation</title>", f"<h2>Of turbines</h2>{BOX}"),
        ("<title>Wind - Of turbines</title>", "<h1><a href='/'>Wind</a></h1><h2>Of turbines</h2>"),
        ("<title>Site</title>", "<h1>Of <code>turbines</code><a href='#of'>¶</a></h1>"),
        ("<title>x</title><meta property='og:title' content='Of turbines'>", "<h1>Another</h1>"),
        (
            "<meta property='og:title' content='Of turbines | Wind Daily'>"
            "<meta property='og:site_name' content='Wind Daily'>",
            "",
        ),
        (data(**{"@type": "NewsArticle", "headline": "Of turbines"}), "<h1>Menu</h1>"),
        (data(**{"@graph": [{"@type": "WebPage", "headline": "Of turbines"}]}), ""),
        ("", "<h2>Of turbines</h2>"),
    ],
    ids=[
        "title", "heading", "site behind", "logo", "h1", "og", "og with site", "data", "graph",
        "h2 alone",
    ],
)  # fmt: skip
def test_a_page_is_called_what_it_calls_itself(head: str, body: str) -> None:
    assert read(head, body)["title"] == "Of turbines"


@pytest.mark.parametrize(
    ("head", "body", "address"),
    [
        ("<meta name='date' content='2024-02-03'>", "", ""),
        ("<meta property='article:published_time' content='2024-02-03T08:00:00Z'>", "", ""),
        ("<meta name='citation_publication_date' content='2024/2/3'>", "", ""),
        (data(**{"@type": "Article", "datePublished": "2024-02-03T08:00:00+01:00"}), "", ""),
        ("", "<span itemprop='datePublished' content='2024-02-03'></span>", ""),
        ("", "<article><header><time datetime='2024-02-03'>3 Feb</time></header></article>", ""),
        ("", "<time class='entry-date published' datetime='2024-02-03T10:00'>3 Feb</time>", ""),
        ("", "", "https://wind.test/2024/02/03/turbines"),
        ("", "", "https://wind.test/2024-02-03-turbines.html"),
    ],
    ids=["meta", "og", "citation", "data", "itemprop", "header", "class", "path", "name"],
)
def test_the_day_that_a_page_names_as_its_own(head: str, body: str, address: str) -> None:
    assert read(head, body, address)["published"] == "2024-02-03"


@pytest.mark.parametrize(
    ("head", "body", "address"),
    [
        ("", "<p>CREATE TABLE log (day date DEFAULT '2016-07-01');</p>", ""),
        ("", "<p>It conforms to SQL:1999, updated on 4 May 2011.</p>", ""),
        ("", "<h1>What happened on 2016-07-01</h1>", ""),
        ("", "<p>They landed on <time datetime='1969-07-20'>that day</time>.</p>", ""),
        ("<meta name='date' content='soon'>", "", ""),
        (data(**{"@type": "Organization", "datePublished": "2024-02-03"}), "", ""),
        ("", "", "https://wind.test/turbines?day=/2024/02/03/"),
        ("", "", "https://wind.test/2024/13/45/"),
        (
            "",
            "<article><header><time datetime='2024-02-03'>a</time></header></article>"
            "<article><header><time datetime='2024-02-04'>b</time></header></article>",
            "",
        ),
    ],
    ids=["text", "name", "heading", "time", "words", "other", "query", "no day", "list"],
)
def test_no_day_is_made_up(head: str, body: str, address: str) -> None:
    assert read(head, body, address)["published"] == ""


@pytest.mark.parametrize(
    ("head", "body", "author"),
    [
        ("<meta name='author' content='Ada Gale'>", "", "Ada Gale"),
        (
            "<meta name='citation_author' content='Gale, A.'>"
            "<meta name='citation_author' content='Reed, B.'>",
            "",
            "Gale, A., Reed, B.",
        ),
        ("<meta property='article:author' content='https://wind.test/ada'>", "", ""),
        (data(**{"@type": "Article", "author": [{"name": "Ada"}, "Bo"]}), "", "Ada, Bo"),
        ("", "<a rel='author' href='/ada'>Ada Gale</a>", "Ada Gale"),
        ("", "<h2 class='author'>Set Authorizer</h2>", ""),
    ],
)
def test_the_authors_that_a_page_names(head: str, body: str, author: str) -> None:
    assert read(head, body)["author"] == author


def test_the_site_stands_in_the_head_or_behind_the_title() -> None:
    assert read("<meta property='og:site_name' content='Wind Daily'>")["site"] == "Wind Daily"
    assert read("<title>Of turbines | Wind Daily</title>", "<h1>Of turbines</h1>")["site"] == (
        "Wind Daily"
    )
    assert read("<title>Of turbines</title>", "<h1>Of turbines</h1>")["site"] == ""


@pytest.mark.parametrize(
    "head",
    [
        data(**{"@type": ["Article", 7], "headline": 7, "author": 7, "publisher": [[]]}),
        "<script type='application/ld+json'>{</script>",
        f"<script type='application/ld+json'>{'[' * 100_000}</script>",
        "<script type='application/ld+json'>7</script>",
        "<meta name='date' content='9999999999999999-01-01'>",
        f"<title>{'word - ' * 20_000}</title>",
    ],
)
def test_nonsense_in_a_head_costs_nothing_but_itself(head: str) -> None:
    assert read(head, "<h1>Of turbines</h1>")["title"] == "Of turbines"


def test_links_and_wishes_stand_as_the_page_writes_them() -> None:
    head = (
        "<base href='/docs/'><link rel='canonical' href='/a'>"
        "<meta name='robots' content='noindex'><meta name='Quire' content='nofollow'>"
        "<meta name='other' content='none'>"
    )
    body = "<p><a href='b'>To <b>b</b></a> <a rel='nofollow' href='c'>no</a></p>"
    page = f"<html><head>{head}</head><body>{body}{TEXT}</body></html>".encode()
    found = parse_web_page(page, "", "quire", False)
    assert found == {
        "links": [("b", "To b")],
        "base": "/docs/",
        "canonical": "/a",
        "robots_directives": ("noindex", "nofollow"),
        "main": None,
    }


@pytest.mark.parametrize(
    ("footer", "date"),
    [
        ("<footer>Last updated on Jun 02, 2024.</footer>", "2024-06-02"),
        ("<div class='page footer'>© Wind. Last modified: <b>2023-05-01</b></div>", "2023-05-01"),
        ("<div role='contentinfo'>Zuletzt aktualisiert am 2022-05-03</div>", "2022-05-03"),
        ("<footer>© 1996-2026 Wind. Last updated by hand.</footer>", ""),
        ("<p>Turbines, last updated on Jun 02, 2024, are quieter than others were before.</p>", ""),
    ],
)
def test_the_footer_dates_a_page_that_says_nothing_else(footer: str, date: str) -> None:
    assert read(body=footer)["published"] == date
    stated = "<meta name='date' content='2020-02-03'>"
    assert read(stated, footer)["published"] == "2020-02-03"


@pytest.mark.parametrize(
    ("head", "body", "site"),
    [
        ("", "<a accesskey='h' href='i.html' title='Wind 15 Manual'>Home</a>", "Wind 15 Manual"),
        ("<link rel='top' href='i.html' title='Wind 15 Manual'>", "", "Wind 15 Manual"),
        ("<title>Of turbines - Wind Daily</title><link rel='top' title='The Wind'>",
         "<h1>Of turbines</h1>", "Wind Daily"),
        ("<link rel='home' href='/' title='Home'>", "", ""),
    ],
)  # fmt: skip
def test_a_page_of_a_manual_names_it_by_the_link_to_its_beginning(
    head: str, body: str, site: str
) -> None:
    assert read(head, body)["site"] == site
