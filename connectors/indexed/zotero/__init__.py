"""`zotero`: the items of a Zotero library with their notes, annotations and files."""

from collections.abc import AsyncIterator
from typing import Any

from connectors.files.file_text import UnreadableError
from connectors.http.errors import TOO_LARGE
from connectors.indexed.listing import sync_listing
from connectors.indexed.zotero.client import KEY, PROVIDER, ZoteroApi, get_data
from connectors.indexed.zotero.files import read_attachment
from connectors.indexed.zotero.records import Entry, list_changes, list_entries, list_items
from connectors.indexed.zotero.scope import ZoteroScope, find_scope, load_collections
from connectors.indexed.zotero.text import format_annotations, format_item, get_title, html_to_text
from connectors.json_fields import get_string
from connectors.protocol import Limits, SyncingConnector, SyncState
from schema.documents import Change, Checkpoint, Document, Skipped, Unchanged
from schema.errors import ConnectorError


class Zotero(SyncingConnector):
    """A library or a collection, on zotero.org or in the app on this machine.

    What lies in the bin is removed here. What changed is asked for by the version of the library.
    """

    name = "zotero"
    description = "items of a Zotero library, with notes, annotations and files"
    document_description = (
        "an item: `zotero://LIBRARY/KEY`, its title, authors, DOI or address and date, at "
        "library/collection/title; a note, a file, or a file's annotations: with what its item says"
    )
    required_variables = (f"{KEY} or QUIRE_ZOTERO_BASE_URL",)
    limits = Limits(concurrency=4)

    async def find_root(self, location: str) -> str:
        """`*` (the own library), `users/ID`, `groups/ID`, each with `/collections/KEY` for a part.

        The address of a library or collection at zotero.org will do as well.
        """
        async with ZoteroApi(self.limits) as api:
            return (await find_scope(api, location)).root

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """Read what is new since the version that the cursor names, or all there is."""
        async with ZoteroApi(self.limits) as api:
            scope = await find_scope(api, since.location)
            collections = await load_collections(api, scope)
            before = int(since.cursor) if since.cursor.isdecimal() and not api.is_desktop else 0
            changes = (
                await list_changes(api, collections, before, since.versions)
                if before
                else await list_items(api, scope)
            )
            if changes is None:
                for uri in since.versions:
                    yield Unchanged(uri=uri)
                return
            entries = list_entries(changes, collections)

            async def list_documents() -> AsyncIterator[tuple[str, str, Entry]]:
                for place, entry in entries.items():
                    yield f"{since.root}/{place}", entry.version, entry
                for uri, version in since.versions.items():
                    if not changes.tells_of(uri.removeprefix(f"{since.root}/")):
                        yield uri, version, _NO_ENTRY

            async def read(some: list[Entry]) -> list[Change]:
                return [await _read_change(api, scope, one) for one in some]

            at_once = self.limits.concurrency
            async for change in sync_listing(since, list_documents(), read, 1, at_once):
                yield change
            yield Checkpoint(cursor=str(changes.version))


_NO_ENTRY: Any = None
"""Of documents that are as they were: nothing reads them."""


async def _read_change(api: ZoteroApi, scope: ZoteroScope, entry: Entry) -> Change:
    data, about = get_data(entry.record), entry.about
    uri = f"{scope.root}/{entry.key}"
    title, text, name = about.title, "", get_title(data)
    if entry.kind == "item":
        text = format_item(data)
    elif entry.kind == "note":
        text, title = html_to_text(get_string(data, "note")), _join_titles(about.title, name)
    elif entry.kind == "annotations":
        uri, text = f"{uri}/annotations", format_annotations(entry.marks)
        title = _join_titles(about.title, "annotations")
    else:
        try:
            text = (await read_attachment(api, scope.prefix, data)).text
        except UnreadableError as error:
            return Skipped(uri=uri, reason=f"{name}: {error}")
        except ConnectorError as error:
            if error.status != TOO_LARGE:
                raise
            return Skipped(uri=uri, reason=f"{name}: it is too large")
    return Document(
        uri=uri,
        url=about.url or _find_page(entry, scope),
        title=title,
        author=about.author,
        site=about.site or PROVIDER,
        text=text,
        connector=Zotero.name,
        published=about.published,
        version=entry.version,
        path=entry.path,
        aliases=(about.doi,) if about.doi and entry.kind == "item" else (),
    )


def _join_titles(title: str, name: str) -> str:
    return title if name == title else f"{title}: {name}"


def _find_page(entry: Entry, scope: ZoteroScope) -> str:
    """The item's page at zotero.org, or what opens it in the app."""
    page = get_string(entry.record, "links", "alternate", "href")
    if page.startswith("https://www.zotero.org/"):
        return page
    library = "library" if scope.prefix.startswith("users/") else scope.prefix
    return f"zotero://select/{library}/items/{entry.key}"
