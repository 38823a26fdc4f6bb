"""What a location of Google Drive means: a folder, a shared drive, or all that an account sees."""

import re
from typing import Any, NamedTuple

from connectors.http.errors import find_or_none
from connectors.indexed.drive.client import GoogleApi
from connectors.json_fields import get_string
from schema.errors import InputError

PROVIDER = "Google Drive"
GOOGLE_TYPE = "application/vnd.google-apps."
FOLDER = f"{GOOGLE_TYPE}folder"
ALL_ROOT = "drive://all"

_IN_LINK = re.compile(r"(?:/folders/|[?&]id=)([\w-]+)", re.ASCII)


class DriveScope(NamedTuple):
    """What a sync goes through: all below a folder, or `ALL_ROOT`: what the account may see."""

    root: str
    folder: str
    name: str
    corpus: dict[str, str]


async def find_scope(google: GoogleApi, location: str) -> DriveScope:
    """What a location means.

    Raises:
        InputError: the account sees no such folder.
    """
    link = _IN_LINK.search(location)
    identity = "root" if location == "*" else link[1] if link else location
    folder: dict[str, Any] = {}
    if re.fullmatch(r"[\w-]+", identity, re.ASCII):
        asked = {"fields": "id,name,mimeType,driveId", "supportsAllDrives": "true"}
        folder = await find_or_none(google.get(f"/drive/v3/files/{identity}", **asked)) or {}
    if get_string(folder, "mimeType") != FOLDER or not get_string(folder, "id"):
        raise InputError(
            f"{PROVIDER} shows this account no folder '{location}': give the id or link of a "
            "folder, or * for all files."
        )
    identity, corpus = get_string(folder, "id"), {"corpora": "user"}
    if shared := get_string(folder, "driveId"):
        corpus = {"corpora": "drive", "driveId": shared, "includeItemsFromAllDrives": "true"}
    root = ALL_ROOT if location == "*" else f"drive://{identity}"
    return DriveScope(root, identity, get_string(folder, "name"), corpus)
