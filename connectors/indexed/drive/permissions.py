"""Who may read a file of Google Drive, as names of readers."""

from typing import Any

from connectors.http.errors import HIDDEN, bad_response_error, find_or_none
from connectors.indexed.drive.client import GoogleApi
from connectors.indexed.drive.scope import PROVIDER
from connectors.json_fields import get_records, get_string
from schema.access import EVERYONE

READER_FIELDS = "permissions(type,emailAddress,domain,deleted)"

_PERMISSIONS = "permissions"


async def add_permissions(google: GoogleApi, file: dict[str, Any]) -> None:
    """Ask for the permissions of a file where a listing has none, as for shared drives.

    Where the account may not see them, nobody is known to read the file.
    """
    if isinstance(file.get(_PERMISSIONS), list):
        return
    found, token = list[dict[str, Any]](), ""
    while True:
        asked = {
            "fields": f"nextPageToken,{READER_FIELDS}",
            "pageSize": "100",
            "supportsAllDrives": "true",
        }
        asked |= {"pageToken": token} if token else {}
        path = f"/drive/v3/files/{file['id']}/permissions"
        page = await find_or_none(google.get(path, **asked), HIDDEN)
        found += get_records((page or {}).get(_PERMISSIONS))
        before, token = token, get_string(page, "nextPageToken")
        if not token:
            break
        if token == before:  # it would never end
            raise bad_response_error(PROVIDER)
    file[_PERMISSIONS] = found


def find_readers(file: dict[str, Any]) -> tuple[str, ...]:
    """Names of those who may read a file; what can be found or has a link is everyone's."""
    names = (_name(one) for one in get_records(file.get(_PERMISSIONS)) if not one.get("deleted"))
    return tuple(sorted({name for name in names if name}))


def _name(permission: dict[str, Any]) -> str:
    address, domain = get_string(permission, "emailAddress"), get_string(permission, "domain")
    match get_string(permission, "type"):
        case "user":
            return address.lower()
        case "group" if address:
            return f"group:{address.lower()}"
        case "domain" if domain:
            return f"domain:{domain.lower()}"
        case "anyone":
            return EVERYONE
        case _:
            return ""
