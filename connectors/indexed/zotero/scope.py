"""What a location of Zotero means: a library, or a collection of it with those below."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from connectors.http.errors import HIDDEN, find_or_none
from connectors.indexed.zotero.client import PROVIDER, ZoteroApi, get_data
from connectors.json_fields import get_string, parse_json
from schema.errors import InputError

MAX_DEPTH = 50
"""Collections inside of each other that are named in a path."""

_LIBRARY = re.compile(
    r"(?:https?://www\.zotero\.org/)?((?:users|groups)/\d{1,15})(?:/.*)?", re.ASCII
)
_COLLECTION = re.compile(r"(?:.*/)?collections/([^/]*)(?:/.*)?", re.ASCII)
_KEY = re.compile(r"[A-Z0-9]{8}", re.ASCII)


class ZoteroScope(NamedTuple):
    """A library as `users/475425` or `groups/12`, and a collection in it; "" for all of it."""

    prefix: str
    collection: str

    @property
    def root(self) -> str:
        """The uri at or below which its documents stand."""
        below = f"/collections/{self.collection}" if self.collection else ""
        return f"zotero://{self.prefix}{below}"


class Collections:
    """The collections of a library, and which of them are in scope."""

    def __init__(self, scope: ZoteroScope, name: str, records: Mapping[str, Any]) -> None:
        """Args: name: of the library; records: of its collections, by key."""
        self.scope, self._name = scope, name
        self._held = {
            key: (get_string(get_data(one), "name"), get_string(get_data(one), "parentCollection"))
            for key, one in records.items()
        }

    def has(self, item: Mapping[str, Any]) -> bool:
        """Whether the fields of an item that hangs on no other say that it is in scope."""
        wanted = self.scope.collection
        return not wanted or any(wanted in self._list_above(key) for key in _list_keys(item))

    def find_path(self, item: Mapping[str, Any]) -> list[str]:
        """Names above an item, the library's first; the first of its collections counts."""
        wanted = self.scope.collection
        for key in sorted(_list_keys(item)):
            above = self._list_above(key)
            if above and (not wanted or wanted in above):
                return [self._name, *(self._held[one][0] for one in reversed(above))]
        return [self._name]

    def _list_above(self, key: str) -> list[str]:
        """A collection and those that it lies in, itself first."""
        found = list[str]()
        while key in self._held and key not in found and len(found) < MAX_DEPTH:
            found.append(key)
            key = self._held[key][1]
        return found


def _list_keys(item: Mapping[str, Any]) -> list[str]:
    given = item.get("collections")
    return [one for one in given if isinstance(one, str)] if isinstance(given, list) else []


async def find_scope(api: ZoteroApi, location: str) -> ZoteroScope:
    """What a location means.

    Raises:
        InputError: the key's owner sees no such library or collection.
    """
    where = location.strip()
    library, collection = _LIBRARY.fullmatch(where), _COLLECTION.fullmatch(where)
    key = collection[1] if collection else ""
    if (where == "*" or library or collection) and (not collection or _KEY.fullmatch(key)):
        scope = ZoteroScope(library[1] if library else await api.find_own_prefix(), key)
        path = f"/{scope.prefix}" + (f"/collections/{key}" if key else "/items")
        params = {} if key else {"limit": 1, "format": "keys"}
        if await find_or_none(api.request("GET", path, params=params), HIDDEN):
            return scope
    raise InputError(
        f"{PROVIDER} shows no library '{location[:200]}': use * for your own library, "
        f"{await _name_groups(api)}each with /collections/KEY for a collection of it."
    )


async def load_collections(api: ZoteroApi, scope: ZoteroScope) -> Collections:
    """The collections of a library, with its name."""
    listing = await api.list_all(f"/{scope.prefix}/collections")
    name = "My library"
    if scope.prefix.startswith("groups/"):
        group = await find_or_none(api.get(f"/{scope.prefix}"), HIDDEN) or {}
        name = get_string(group, "data", "name") or scope.prefix
    return Collections(scope, name, listing.records if listing else {})


async def _name_groups(api: ZoteroApi) -> str:
    """The groups that the key's owner is in, for a message."""
    own = await find_or_none(api.find_own_prefix(), HIDDEN)
    answer = await find_or_none(api.request("GET", f"/{own}/groups"), HIDDEN) if own else None
    found = parse_json(answer.content) if answer else None
    groups = [
        f"groups/{one['id']} ({get_string(one, 'data', 'name')})"
        for one in (found if isinstance(found, list) else [])[:10]
        if isinstance(one, dict) and isinstance(one.get("id"), int)
    ]
    return f"{', '.join(groups)}, " if groups else "groups/ID for that of a group, "
