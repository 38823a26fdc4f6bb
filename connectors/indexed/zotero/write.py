"""Writing into a Zotero library, only where somebody asks for it: a report with its note."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from connectors.http.errors import bad_response_error
from connectors.indexed.zotero import Zotero
from connectors.indexed.zotero.client import KEY, PROVIDER, Listing, ZoteroApi
from connectors.indexed.zotero.scope import ZoteroScope, find_scope
from connectors.json_fields import get_fields, get_string
from schema.errors import ConnectorError, InputError

CONFLICT = 412
"""Status of HTTP: somebody else wrote in the meantime."""
TRIES = 3


class ReportNote(NamedTuple):
    """What is written: a report as an item, one version of it as a note of that item."""

    identity: str
    version: int
    title: str
    date: str
    language: str
    html: str
    cited: Sequence[tuple[str, str]]
    """Library, as `users/475425`, and key of each item that it cites."""


class WrittenReport(NamedTuple):
    """Where it stands: an address that shows it in the app; `new` tells whether it was written."""

    address: str
    new: bool


async def write_report(location: str, given: ReportNote) -> WrittenReport:
    """Write a report into a library or collection; a version that stands there stays as it is.

    The item of a report is made once, and each version becomes a note of it. Each write names the
    version of the library that it was made for, so that nothing is written twice or over somebody.

    Raises:
        InputError: there is no such place, or it cannot be written to.
        ConnectorError: Zotero did not take it.
    """
    async with ZoteroApi(Zotero.limits) as api:
        if api.is_desktop:
            raise InputError(f"The Zotero app on this machine takes no reports: set {KEY}.")
        scope = await find_scope(api, location)
        for attempt in range(TRIES):
            try:
                return await _write_once(api, scope, given)
            except ConnectorError as error:
                if error.status != CONFLICT or attempt == TRIES - 1:
                    raise
    raise AssertionError("unreachable: the last try returns or raises")


async def _write_once(api: ZoteroApi, scope: ZoteroScope, given: ReportNote) -> WrittenReport:
    held = await _find_tagged(api, scope, f"quire:{given.identity}")
    reports = [key for key, one in held.records.items() if _get_type(one) == "report"]
    noted = await _find_tagged(api, scope, f"quire:{given.identity}:v{given.version}")
    if reports and any(
        get_string(one, "data", "parentItem") in reports for one in noted.records.values()
    ):
        return WrittenReport(_address(scope, reports[0]), new=False)
    version, key = held.version, reports[0] if reports else ""
    if not key:
        key, version = await _post(api, scope, _build_report(scope, given), version)
    await _post(api, scope, _build_note(key, given), version)
    return WrittenReport(_address(scope, key), new=True)


async def _find_tagged(api: ZoteroApi, scope: ZoteroScope, tag: str) -> Listing:
    listing = await api.list_all(f"/{scope.prefix}/items", tag=tag)
    return listing or Listing({}, 0)


async def _post(
    api: ZoteroApi, scope: ZoteroScope, item: dict[str, Any], version: int
) -> tuple[str, int]:
    """The key of an item that was written, and the version of the library after it."""
    headers = {"If-Unmodified-Since-Version": str(version)}
    answer = await api.request("POST", f"/{scope.prefix}/items", json=[item], headers=headers)
    told = api.parse_object(answer)
    if failed := get_fields(told.get("failed")).get("0"):
        message = " ".join(get_string(failed, "message").split())[:200]
        status = failed.get("code") if isinstance(failed, dict) else None
        raise ConnectorError(
            f"{PROVIDER} did not take the report ({message})",
            status=status if isinstance(status, int) else 0,
        )
    key = get_string(told, "successful", "0", "key") or get_string(told, "success", "0")
    after = answer.headers.get("last-modified-version", "")
    if not key or not after.isdecimal():
        raise bad_response_error(PROVIDER)
    return key, int(after)


def _build_report(scope: ZoteroScope, given: ReportNote) -> dict[str, Any]:
    own = (scope.prefix, "users/0") if scope.prefix.startswith("users/") else (scope.prefix,)
    keys = dict.fromkeys(key for library, key in given.cited if library in own)
    related = [f"http://zotero.org/{scope.prefix}/items/{key}" for key in keys]
    return {
        "itemType": "report",
        "title": given.title,
        "reportType": "Quire",
        "date": given.date,
        "language": given.language,
        "creators": [],
        "tags": [{"tag": f"quire:{given.identity}"}],
        "collections": [scope.collection] if scope.collection else [],
        "relations": {"dc:relation": related} if related else {},
    }


def _build_note(report: str, given: ReportNote) -> dict[str, Any]:
    return {
        "itemType": "note",
        "parentItem": report,
        "note": given.html,
        "tags": [{"tag": f"quire:{given.identity}:v{given.version}"}],
        "relations": {},
    }


def _get_type(record: dict[str, Any]) -> str:
    return get_string(record, "data", "itemType")


def _address(scope: ZoteroScope, key: str) -> str:
    place = "library" if scope.prefix.startswith("users/") else scope.prefix
    return f"zotero://select/{place}/items/{key}"
