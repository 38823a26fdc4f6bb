"""Reading an open copy of what is behind a paywall."""

from collections.abc import Iterator
from typing import Any

import pytest
from fakes.registries import Registries
from fakes.sites.website import WebServer, page
from starlette.responses import Response

from connectors.open_access.copies import find_copies
from connectors.open_access.identifiers import Work
from connectors.page_fetcher import FetchedDocument, fetch_page
from library.library import Library
from schema.errors import ConnectorError

DOI = "10.1234/otter.7"
SENTENCE = "Of 120 otters, 37 were seen to crack shells on one and the same stone."
FULL = "<h1>Otters and stones</h1>" + f"<p>{SENTENCE} {'The others dived on. ' * 20}</p>" * 8
ABSTRACT = "<h1>Otters and stones</h1><p>We count otters that use stones. Sign in to read on.</p>"
STATED = f'<meta name="citation_doi" content="{DOI}">'


@pytest.fixture
def registries(monkeypatch: pytest.MonkeyPatch) -> Iterator[Registries]:
    monkeypatch.setenv("QUIRE_ALLOWED_HOSTS", "127.0.0.1")
    with Registries() as server:
        server.lead(monkeypatch)
        yield server


@pytest.fixture
def site() -> Iterator[WebServer]:
    pages: dict[str, Any] = {
        f"/doi/{DOI}": Response("Buy this article", 402),
        "/article/7": page(ABSTRACT, STATED),
        "/open/7": page(FULL),
        "/short/7": page(ABSTRACT),
        "/private/7": page(FULL),
    }
    with WebServer([], pages) as server:
        yield server


def place(address: str, version: str = "acceptedVersion") -> dict[str, Any]:
    return {"url_for_pdf": None, "url": address, "version": version, "host_type": "repository"}


def tell_unpaywall(registries: Registries, *addresses: str, **more: Any) -> None:
    registries.unpaywall[DOI] = {
        "title": "Otters and stones",
        "z_authors": [{"raw_author_name": "Anna Holm"}, {"given": "Bo", "family": "Li"}],
        "journal_name": "Journal of Otters",
        "published_date": "2024-05-01",
        "best_oa_location": place(addresses[0]),
        "oa_locations": [place(one) for one in addresses],
        **more,
    }


async def read(site: WebServer, path: str = f"/doi/{DOI}") -> FetchedDocument:
    return await fetch_page(site.url + path, seconds=20)


async def test_a_page_behind_a_paywall_is_read_as_its_open_copy(
    registries: Registries, site: WebServer
) -> None:
    tell_unpaywall(registries, f"{site.url}/open/7")
    document = (await read(site)).document
    assert SENTENCE in document.text
    assert document.uri.endswith(f"/doi/{DOI}")  # it takes the place of what the search found
    assert document.url == f"{site.url}/open/7"  # what was read
    assert (document.copy_of, document.copy_version) == (f"https://doi.org/{DOI}", "accepted")
    assert (document.title, document.author) == ("Otters and stones", "Anna Holm, Bo Li")
    assert (document.site, document.published) == ("Journal of Otters", "2024-05-01")
    assert not [call for call in registries.calls if not call.startswith("/unpaywall")]


async def test_a_page_that_holds_only_an_abstract_is_read_as_its_open_copy(
    registries: Registries, site: WebServer
) -> None:
    tell_unpaywall(registries, f"{site.url}/article/7", f"{site.url}/open/7")
    document = (await read(site, "/article/7")).document
    assert SENTENCE in document.text
    assert document.url == f"{site.url}/open/7"


async def test_a_copy_that_says_no_more_than_the_page_is_left(
    registries: Registries, site: WebServer
) -> None:
    tell_unpaywall(registries, f"{site.url}/short/7", f"{site.url}/nowhere")
    document = (await read(site, "/article/7")).document
    assert (document.url, document.copy_of) == (f"{site.url}/article/7", "")
    with pytest.raises(ConnectorError, match="does not allow this"):
        await read(site)


async def test_providers_are_asked_in_turn_and_one_that_is_down_is_passed_over(
    registries: Registries, site: WebServer
) -> None:
    registries.down = {"unpaywall"}
    journal = {"journal": {"title": "Journal of Otters"}}
    registries.europe_pmc = [
        {
            "doi": DOI,
            "pmid": "77",
            "title": "Otters and stones.",
            "authorString": "Holm A, Li B.",
            "authMan": "N",
            "journalInfo": journal,
            "fullTextUrlList": {
                "fullTextUrl": [
                    {"availabilityCode": "S", "documentStyle": "doi", "url": "https://pay.test/"},
                ]
            },
        }
    ]
    location = {
        "is_oa": True,
        "landing_page_url": f"{site.url}/open/7",
        "pdf_url": None,
        "version": "submittedVersion",
    }
    closed = {**location, "is_oa": False, "landing_page_url": "https://pay.test/"}
    registries.openalex[DOI] = {
        "doi": f"https://doi.org/{DOI}",
        "title": "Otters and stones",
        "authorships": [{"author": {"display_name": "Anna Holm"}}],
        "primary_location": closed,
        "best_oa_location": location,
        "locations": [closed, location],
    }
    found = await read(site)
    assert (found.document.copy_version, found.document.author) == ("submitted", "Anna Holm")
    asked = [call.split("/")[1] for call in registries.calls]
    assert list(dict.fromkeys(asked)) == ["unpaywall", "europepmc", "openalex"]


async def test_a_pubmed_number_leads_to_a_doi_and_on(registries: Registries) -> None:
    url = "https://europepmc.test/articles/PMC7"
    style = {"availabilityCode": "OA", "documentStyle": "html", "url": url}
    urls = {"fullTextUrl": [{**style, "documentStyle": "pdf", "url": f"{url}?pdf"}, style]}
    registries.europe_pmc = [{"doi": DOI, "pmid": "77", "authMan": "Y", "fullTextUrlList": urls}]
    registries.openalex[DOI] = {"doi": DOI, "is_retracted": False}
    found = [one async for one in find_copies(Work(pmid="77"))]
    assert [(one.address, one.version, one.doi) for one in found] == [
        (url, "accepted", DOI),
        (f"{url}?pdf", "accepted", DOI),
    ]
    assert any(f"/openalex/works/doi:{DOI}" in call for call in registries.calls)


@pytest.mark.parametrize("address", ["http://169.254.169.254/latest", "file:///etc/passwd", "x"])
async def test_an_address_that_leads_into_the_network_is_not_asked(
    registries: Registries, site: WebServer, address: str
) -> None:
    tell_unpaywall(registries, address)
    with pytest.raises(ConnectorError, match="does not allow this"):
        await read(site)


async def test_robots_of_the_copy_s_site_are_respected(
    registries: Registries, site: WebServer
) -> None:
    tell_unpaywall(registries, f"{site.url}/private/7")
    with pytest.raises(ConnectorError, match="does not allow this"):
        await read(site)


async def test_nobody_learns_a_doi_unless_the_installation_says_so(
    registries: Registries, site: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("QUIRE_OPEN_ACCESS_EMAIL")
    with pytest.raises(ConnectorError):
        await read(site)
    await read(site, "/article/7")
    assert registries.calls == []


@pytest.mark.parametrize("odd", [[], {"oa_locations": 7, "best_oa_location": ["x"]}, "x"], ids=str)
async def test_answers_of_another_form_cost_the_copy(
    registries: Registries, site: WebServer, odd: Any
) -> None:
    registries.unpaywall[DOI] = odd if isinstance(odd, dict) else {"best_oa_location": odd}
    registries.openalex[DOI] = {"locations": odd, "authorships": 7}
    registries.europe_pmc = [{"doi": DOI, "fullTextUrlList": odd}]
    with pytest.raises(ConnectorError, match="does not allow this"):
        await read(site)


async def test_the_library_keeps_what_a_copy_stands_for(
    registries: Registries, site: WebServer, library: Library
) -> None:
    tell_unpaywall(registries, f"{site.url}/open/7")
    (stored,) = await library.store([(await read(site)).document])
    info = (await library.load_documents([stored.document]))[stored.document]
    assert (info.copy_of, info.copy_version) == (f"https://doi.org/{DOI}", "accepted")
