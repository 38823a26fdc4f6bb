"""Where a work can be read by everybody: Unpaywall, Europe PMC and OpenAlex say so, in turn.

They learn the DOIs of pages that could not be read, so they are asked only where the installation
names an address of its own (`QUIRE_OPEN_ACCESS_EMAIL`), which Unpaywall wants anyway.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from connectors.http.client import Api, base_url, web_host
from connectors.http.errors import find_or_none
from connectors.json_fields import get_fields, get_records, get_string
from connectors.open_access.identifiers import Work, find_doi
from connectors.protocol import Limits
from schema.errors import ConnectorError
from schema.settings import get_settings, read_variable

CopyVersion = Literal["published", "accepted", "submitted", ""]
"""Of a work that a copy is: as the journal has it, as it was accepted, or as it was sent in."""

LIMITS = Limits(concurrency=4, attempts=2)
SECONDS = 8.0
"""Deadline of one request."""
MAX_AUTHORS = 20
_VERSIONS: dict[str, CopyVersion] = {
    "publishedVersion": "published",
    "acceptedVersion": "accepted",
    "submittedVersion": "submitted",
}


class OpenCopy(NamedTuple):
    """An address at which a work can be read, who names it, and what is known of the work."""

    address: str
    version: CopyVersion
    provider: str
    title: str = ""
    author: str = ""
    site: str = ""
    published: str = ""
    doi: str = ""


def is_enabled() -> bool:
    """Whether open copies are looked up."""
    return bool(get_settings().open_access_email)


async def find_copies(work: Work) -> AsyncIterator[OpenCopy]:
    """Copies of a work, the likeliest first; a provider is asked when those before gave none.

    A provider that does not answer is passed over.
    """
    seen = set[str]()
    doi = work.doi
    for ask in (_ask_unpaywall, _ask_europe_pmc, _ask_openalex):
        found = await _ask_or_pass(ask, Work(doi, work.pmid))
        doi = doi or next((one.doi for one in found if one.doi), "")
        for _, copy in found:
            if copy and web_host(copy.address) and copy.address not in seen:
                seen.add(copy.address)
                yield copy._replace(doi=doi)


class _Told(NamedTuple):
    """What a provider says: the DOI, where only the PubMed id was known, and a copy."""

    doi: str
    copy: OpenCopy | None


async def _ask_or_pass(ask: Callable[[Work], Awaitable[list[_Told]]], work: Work) -> list[_Told]:
    try:
        return await ask(work)
    except ConnectorError:
        return []


def make_api(name: str, provider: str, url: str) -> Api:
    """One of the registries; `QUIRE_<NAME>_BASE_URL` leads to another server of its API."""
    return Api(provider, base_url(name, url), limits=LIMITS, seconds=SECONDS)


def make_openalex() -> Api:
    """OpenAlex, which is also asked about retractions."""
    return make_api("openalex", "OpenAlex", "https://api.openalex.org")


async def ask_openalex_of(work: Work, fields: str) -> dict[str, Any]:
    """What OpenAlex says of a work; empty where it does not know it."""
    named = f"doi:{quote(work.doi, safe='/')}" if work.doi else f"pmid:{work.pmid}"
    key, email = read_variable("OPENALEX_API_KEY"), get_settings().open_access_email
    async with make_openalex() as api:
        told = await find_or_none(
            api.get(f"/works/{named}", select=fields, mailto=email, api_key=key or None)
        )
    return told or {}


async def _ask_unpaywall(work: Work) -> list[_Told]:
    if not work.doi:
        return []
    email = get_settings().open_access_email
    async with make_api("unpaywall", "Unpaywall", "https://api.unpaywall.org") as api:
        path = f"/v2/{quote(work.doi, safe='/')}"
        told = await find_or_none(api.get(path, email=email), status=422) or {}
    people = get_records(told.get("z_authors"))
    about = {
        "title": get_string(told, "title"),
        "author": _join(
            get_string(one, "raw_author_name")
            or f"{get_string(one, 'given')} {get_string(one, 'family')}".strip()
            for one in people
        ),
        "site": get_string(told, "journal_name"),
        "published": get_string(told, "published_date"),
    }
    places = [told.get("best_oa_location"), *get_records(told.get("oa_locations"))]
    return [
        _Told(work.doi, OpenCopy(address, _get_version(one), "Unpaywall", **about))
        for one in map(get_fields, places)
        for address in (get_string(one, "url_for_pdf"), get_string(one, "url"))
        if address
    ]


async def _ask_europe_pmc(work: Work) -> list[_Told]:
    query = f'DOI:"{work.doi}"' if work.doi else f"EXT_ID:{work.pmid} AND SRC:MED"
    url = "https://www.ebi.ac.uk/europepmc/webservices/rest"
    async with make_api("europepmc", "Europe PMC", url) as api:
        told = await api.get("/search", query=query, format="json", resultType="core", pageSize=1)
    found = next(iter(get_records(get_fields(told.get("resultList")).get("result"))), {})
    doi = find_doi(get_string(found, "doi"))
    if not found or (work.doi and doi != work.doi):
        return []
    about = {
        "title": get_string(found, "title").rstrip("."),
        "author": get_string(found, "authorString").rstrip("."),
        "site": get_string(found, "journalInfo", "journal", "title"),
        "published": get_string(found, "firstPublicationDate"),
    }
    places = get_records(get_fields(found.get("fullTextUrlList")).get("fullTextUrl"))
    open_ones = [one for one in places if get_string(one, "availabilityCode") in ("OA", "F")]
    ordered = sorted(open_ones, key=lambda one: get_string(one, "documentStyle") != "html")
    copies = [
        _Told(doi, OpenCopy(get_string(one, "url"), _tell_version(found), "Europe PMC", **about))
        for one in ordered
    ]
    return copies or [_Told(doi, None)]


async def _ask_openalex(work: Work) -> list[_Told]:
    fields = "doi,title,publication_date,authorships,primary_location,best_oa_location,locations"
    told = await ask_openalex_of(work, fields)
    names = (
        get_string(one, "author", "display_name") for one in get_records(told.get("authorships"))
    )
    about = {
        "title": get_string(told, "title"),
        "author": _join(names),
        "site": get_string(told, "primary_location", "source", "display_name"),
        "published": get_string(told, "publication_date"),
    }
    places = [told.get("best_oa_location"), *get_records(told.get("locations"))]
    return [
        _Told(
            find_doi(get_string(told, "doi")),
            OpenCopy(address, _get_version(one), "OpenAlex", **about),
        )
        for one in map(get_fields, places)
        if one.get("is_oa")
        for address in (get_string(one, "pdf_url"), get_string(one, "landing_page_url"))
        if address
    ]


def _get_version(place: Any) -> CopyVersion:
    return _VERSIONS.get(get_string(place, "version"), "")


def _tell_version(found: Any) -> CopyVersion:
    """Europe PMC marks manuscripts of authors; what else it holds is as the journal has it."""
    if get_string(found, "authMan") == "Y":
        return "accepted"
    return "submitted" if get_string(found, "source") == "PPR" else "published"


def _join(names: Any) -> str:
    return ", ".join([name for name in names if name][:MAX_AUTHORS])
