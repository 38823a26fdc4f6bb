"""Which documents a library's records make, and what of them changed since a version of it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from connectors.files.tree_path import join_tree_path
from connectors.http.prefetch import prefetch
from connectors.indexed.zotero.client import ZoteroApi, get_data
from connectors.indexed.zotero.scope import Collections, ZoteroScope
from connectors.indexed.zotero.text import Description, describe, get_title
from connectors.json_fields import get_fields, get_string

Records = dict[str, dict[str, Any]]
"""What Zotero says of items, by key."""
EntryKind = Literal["item", "note", "file", "annotations"]

MARKS = "/annotations"
"""How the uri of a file's annotations ends, behind that of the file."""
_STORED = ("imported_file", "imported_url")
_UNREAD = ("version", "dateModified", "relations", "collections")
"""Fields of a record that change without what is read of it."""


class Entry(NamedTuple):
    """A document to be: the record that it is made of, and what its item says of it.

    `marks` are the fields of a file's annotations, in its order; their keys stand in the version.
    """

    kind: EntryKind
    key: str
    record: Mapping[str, Any]
    about: Description
    path: str
    version: str
    marks: tuple[Mapping[str, Any], ...] = ()


@dataclass
class Changes:
    """What a sync is to look at.

    `records` are the items whose documents may be others; `whole` says that they are all there
    are; `gone` are keys of what is no more, and `version` is that of the library.
    """

    records: Records
    version: int
    whole: bool
    gone: set[str] = field(default_factory=set)

    def tells_of(self, place: str) -> bool:
        """Whether a document that is not among the entries is gone.

        Args:
            place: what stands behind the root in its uri.
        """
        key = place.removesuffix(MARKS)
        return self.whole or key in self.records or key in self.gone


async def list_items(api: ZoteroApi, scope: ZoteroScope) -> Changes:
    """All items of a library."""
    listing = await api.list_all(f"/{scope.prefix}/items")
    records, version = (listing.records, listing.version) if listing else ({}, 0)
    return Changes(records, version, whole=True)


async def list_changes(
    api: ZoteroApi, collections: Collections, since: int, known: Mapping[str, str]
) -> Changes | None:
    """What changed since a version of the library, with all that its documents are made of.

    Args:
        api: to ask.
        collections: of the library.
        since: a version of it.
        known: version by uri of the documents that are held.

    Returns:
        None where nothing changed; all items where the server cannot tell what was deleted.
    """
    scope = collections.scope
    path = f"/{scope.prefix}/items"
    listing = await api.list_all(path, known=since, since=since, includeTrashed=1)
    if listing is None:
        return None
    deleted = await api.list_deleted(scope.prefix, since)
    if deleted is None:
        return await list_items(api, scope)
    records = dict(listing.records)
    lost = deleted | {key for key, one in records.items() if get_data(one).get("deleted")}
    annotated = {
        uri.removesuffix(MARKS).rpartition("/")[2]
        for uri, version in known.items()
        if uri.endswith(MARKS) and lost & {*version.split()[2:]}
    }
    await _add_missing(api, scope, records, annotated - deleted)
    for _ in range(2):  # from an annotation to its file, and from that to its item
        above = {get_string(get_data(one), "parentItem") for one in records.values()}
        await _add_missing(api, scope, records, above - {""} - deleted)
    tops = [key for key, one in records.items() if _needs_children(collections, key, one, known)]
    await _add_children(api, scope, records, tops)
    files = [
        key
        for key, one in records.items()
        if _get_type(one) == "attachment" and _may_have_children(one)
    ]
    await _add_children(api, scope, records, files)
    return Changes(records, listing.version, whole=False, gone=deleted)


async def _add_missing(
    api: ZoteroApi, scope: ZoteroScope, records: Records, wanted: set[str]
) -> None:
    if missing := sorted(wanted - records.keys()):
        records |= await api.list_by_key(scope.prefix, missing)


async def _add_children(
    api: ZoteroApi, scope: ZoteroScope, records: Records, keys: Iterable[str]
) -> None:
    async def read(key: str) -> Records:
        return await api.list_children(scope.prefix, key)

    async for children in prefetch(list(keys), read, api.at_once):
        for key, one in children.items():
            records.setdefault(key, one)


def _needs_children(
    collections: Collections, key: str, record: Mapping[str, Any], known: Mapping[str, str]
) -> bool:
    """Whether what hangs on an item may be another document now, or has to go with it."""
    data = get_data(record)
    if not _may_have_children(record) or _get_type(record) == "attachment":
        return False
    held = known.get(f"{collections.scope.root}/{key}", "")
    return bool(data.get("deleted")) or not held.startswith(f"{_compute_base(collections, data)} ")


def _may_have_children(record: Mapping[str, Any]) -> bool:
    count = get_fields(record.get("meta")).get("numChildren")
    return _get_type(record) not in ("note", "annotation") and count != 0


def list_entries(changes: Changes, collections: Collections) -> dict[str, Entry]:
    """The documents of records, by what stands behind the root in their uris."""
    marks: dict[str, list[dict[str, Any]]] = {}
    for one in changes.records.values():
        if _get_type(one) == "annotation" and not get_data(one).get("deleted"):
            marks.setdefault(get_string(get_data(one), "parentItem"), []).append(get_data(one))
    found = dict[str, Entry]()
    for key, record in changes.records.items():
        kind, data, top = _get_type(record), get_data(record), _find_top(changes.records, record)
        if kind == "annotation" or top is None or not collections.has(top):
            continue
        about = describe(top)
        names = [*collections.find_path(top), about.title]
        path = join_tree_path(*names, *([] if top is data else [get_title(data)]))
        base = _compute_base(collections, top)
        made = Entry("item", key, record, about, path, f"{base} {_compute_digest(data)}")
        if kind == "note":
            found[key] = made._replace(kind="note")
        elif kind != "attachment":
            found[key] = made
        elif get_string(data, "linkMode") in _STORED:
            version = f"{base} {_compute_digest(_describe_file(data))}"
            found[key] = made._replace(kind="file", version=version)
        if kind == "attachment" and key in marks:
            ordered = sorted(marks[key], key=lambda one: get_string(one, "annotationSortIndex"))
            keys = " ".join(get_string(one, "key") for one in ordered)
            found[key + MARKS] = made._replace(
                kind="annotations",
                path=f"{path}{MARKS}",
                version=f"{base} {_compute_digest(ordered)} {keys}",
                marks=tuple(ordered),
            )
    return found


def _find_top(records: Records, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """The fields of what a record hangs on in the end; None where some of that is no more."""
    for _ in range(4):  # a circle ends, too
        data = get_data(record)
        if data.get("deleted"):
            return None
        above = get_string(data, "parentItem")
        if not above:
            return data
        if above not in records:
            return None
        record = records[above]
    return None


def _get_type(record: Mapping[str, Any]) -> str:
    return get_string(get_data(record), "itemType")


def _describe_file(data: Mapping[str, Any]) -> dict[str, Any]:
    """What changes with the content of a file; where nothing says it, all that is known of it."""
    names = ("md5", "filename", "title", "contentType")
    return {name: data.get(name) for name in names} if data.get("md5") else dict(data)


def _compute_base(collections: Collections, top: Mapping[str, Any]) -> str:
    """What changes with what all documents of an item say of it: its title, its place, ..."""
    return _compute_digest([*describe(top), collections.find_path(top)])


def _compute_digest(value: Any) -> str:
    if isinstance(value, Mapping):
        value = {name: one for name, one in value.items() if name not in _UNREAD}
    elif isinstance(value, list):
        value = [_compute_digest(one) if isinstance(one, Mapping) else one for one in value]
    text = json.dumps(value, sort_keys=True, default=str)
    return blake2b(text.encode(errors="replace"), digest_size=8).hexdigest()
