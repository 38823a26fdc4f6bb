"""Whether a work was retracted, as Crossref says (with Retraction Watch), or OpenAlex."""

from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from connectors.http.errors import find_or_none
from connectors.json_fields import get_fields, get_records, get_string
from connectors.open_access.copies import ask_openalex_of, make_api
from connectors.open_access.identifiers import Work, find_doi
from schema.errors import ConnectorError
from schema.settings import get_settings

RetractionKind = Literal["retraction", "withdrawal", "removal", "concern", "notice"]
"""What was said of a work; `notice` is a work that says so of another."""

_KINDS: dict[str, RetractionKind] = {
    "retraction": "retraction",
    "partial_retraction": "retraction",
    "withdrawal": "withdrawal",
    "removal": "removal",
    "expression_of_concern": "concern",
}
_GRAVEST = ("retraction", "removal", "withdrawal", "concern")


class Retraction(NamedTuple):
    """What was said, on which ISO day, and the DOI of who said it; "" where that is not known."""

    kind: RetractionKind
    day: str = ""
    notice: str = ""


async def find_retraction(doi: str) -> Retraction | None:
    """What was said of the work of a DOI; None where it stands.

    Raises:
        ConnectorError: neither Crossref nor OpenAlex answered.
    """
    try:
        if told := await _ask_crossref(doi):
            return told
    except ConnectorError:
        return await _ask_openalex(doi)
    try:
        return await _ask_openalex(doi)
    except ConnectorError:  # one has answered
        return None


async def _ask_crossref(doi: str) -> Retraction | None:
    email = get_settings().open_access_email
    async with make_api("crossref", "Crossref", "https://api.crossref.org") as api:
        path = f"/works/{quote(doi, safe='')}"
        told = get_fields((await find_or_none(api.get(path, mailto=email)) or {}).get("message"))
        said = [_read_update(one) for one in get_records(told.get("updated-by"))]
        if told and not any(said):
            notices = await api.get("/works", filter=f"updates:{doi}", rows=20, mailto=email)
            said = _read_notices(doi, get_fields(notices.get("message")))
    known = [one for one in said if one]
    if known:
        return min(known, key=lambda one: _GRAVEST.index(one.kind))
    of = next((one for one in get_records(told.get("update-to")) if _get_kind(one)), None)
    return Retraction("notice", notice=find_doi(get_string(of, "DOI"))) if of else None


async def _ask_openalex(doi: str) -> Retraction | None:
    told = await ask_openalex_of(Work(doi=doi), "is_retracted")
    return Retraction("retraction") if told.get("is_retracted") is True else None


def _read_update(one: dict[str, Any]) -> Retraction | None:
    kind = _get_kind(one)
    if not kind:
        return None
    parts = get_fields(one.get("updated")).get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts and isinstance(parts[0], list) else []
    numbers = [part for part in first if isinstance(part, int)][:3]
    day = "-".join(f"{part:02}" for part in numbers)
    return Retraction(kind, day, find_doi(get_string(one, "DOI")))


def _get_kind(one: dict[str, Any]) -> RetractionKind | None:
    return _KINDS.get(get_string(one, "type").lower().replace("-", "_").replace(" ", "_"))


def _read_notices(doi: str, found: dict[str, Any]) -> list[Retraction | None]:
    """What works say of another that they update."""
    told = (
        (_read_update(one), find_doi(get_string(notice, "DOI")))
        for notice in get_records(found.get("items"))
        for one in get_records(notice.get("update-to"))
        if find_doi(get_string(one, "DOI")) == doi
    )
    return [one._replace(notice=notice) for one, notice in told if one]
