"""`notion`: the pages that a workspace shares with an integration, through Notion's API."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from connectors.files.dates import iso_date
from connectors.http.errors import bad_response_error
from connectors.http.prefetch import prefetch
from connectors.indexed.notion.client import (
    KEY,
    CutOffError,
    NotionClient,
    is_not_shown,
    is_trashed,
)
from connectors.indexed.notion.text import (
    build_page_url,
    convert_blocks,
    find_linked_ids,
    format_properties,
    get_title,
)
from connectors.indexed.notion.tree import ID_PATTERN, UNTITLED, NotionTree
from connectors.json_fields import get_string
from connectors.protocol import Limits, SyncingConnector, SyncState
from schema.documents import Change, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, InputError

MAX_HELD_PAGES = 1_000
"""Changed pages that stay in memory as they were listed; further ones are asked for again."""


class Notion(SyncingConnector):
    """Pages, among them the rows of databases. What lies in the trash there is removed here.

    A page that only moved, or whose parent has another title, keeps its old path in the tree
    until it is edited. Pages are found by Notion's search, which learns of new ones with delay.
    """

    name = "notion"
    description = "pages and rows of databases"
    document_description = (
        "a page: `notion://WORKSPACE/ID`, or `notion://TOP/ID` where the location is the page or "
        "database TOP, its title, creator, address and date of creation, at its parents' titles"
    )
    required_variables = (KEY,)
    package = "notion_client"
    limits = Limits(concurrency=3)

    async def find_root(self, location: str) -> str:
        """`*` for all pages; else a page or a database by its address or id, with all below."""
        async with NotionClient(self.limits) as web:
            if location == "*":
                me = await web.request(web.client.users.me)
                workspace = get_string(me, "bot", "workspace_id") or get_string(me, "id")
                if not workspace:
                    raise bad_response_error("Notion")
                return f"notion://{workspace}"
            if (top := _parse_id(location)) and await _exists(web, top):
                return f"notion://{top}"
        raise InputError(
            f"Notion shows this integration no page or database '{location}': add the integration "
            "to its connections there, and write its address, its id, or * for all pages."
        )

    async def sync(self, since: SyncState) -> AsyncIterator[Change]:
        """List all pages with the time of their last edit, and read those that are new."""
        known = {uri.rpartition("/")[2]: version for uri, version in since.versions.items()}
        async with NotionClient(self.limits) as web:
            tree = NotionTree(web, "" if since.location == "*" else since.root.rpartition("/")[2])
            held, wanted, here = dict[str, dict[str, Any]](), list[str](), set[str]()

            def take(thing: dict[str, Any]) -> None:
                id_, version = tree.add(thing)
                if version and known.get(id_) != version and len(held) < MAX_HELD_PAGES:
                    held[id_] = thing

            whole = await _list_everything(web, tree, take)
            unlisted = known.keys() - tree.get_pages().keys()  # a search may pass over some
            async for page in prefetch(unlisted, web.get_page, self.limits.concurrency):
                take(page or {})
            pages = tree.get_pages()
            async for id_ in prefetch(pages, tree.find_inside, self.limits.concurrency):
                if id_:
                    here.add(id_)
                    if known.get(id_) == pages[id_]:
                        yield Unchanged(uri=f"{since.root}/{id_}")
                    else:
                        wanted.append(id_)

            async def read(id_: str) -> Change | None:
                try:
                    page = held.pop(id_, None) or await web.get_page(id_)
                    blocks = await web.get_blocks(id_) if page else []
                except ConnectorError as error:
                    if not is_not_shown(error):
                        raise
                    if error.code != "connector_absent":
                        return Skipped(uri=f"{since.root}/{id_}", reason=str(error))
                    page = None
                if not page:
                    here.discard(id_)
                    return None
                author = await web.get_user_name(get_string(page, "created_by", "id"))
                return _build_document(since.root, page, blocks, await tree.build_path(id_), author)

            async for change in prefetch(wanted, read, self.limits.concurrency):
                if change:
                    yield change
        for id_ in known.keys() - here:
            yield Gone(uri=f"{since.root}/{id_}")
        if not whole:
            raise ConnectorError(
                "Notion does not list all pages of this location, as they are too many: ingest its "
                "parts one by one, each by its address"
            )


async def _list_everything(
    web: NotionClient, tree: NotionTree, take: Callable[[dict[str, Any]], None]
) -> bool:
    """Take what there is; whether that was all.

    Of more than 20,000 pages a search shows the first and the last. The rows of databases, most
    of what is so many, have listings of their own.
    """
    try:
        async for thing in web.list_everything():
            take(thing)
    except CutOffError:
        whole = tree.is_database
        async for source in tree.list_sources():
            try:
                async for row in web.list_rows(source):
                    take(row)
            except CutOffError:
                whole = False
        return whole
    return True


async def _exists(web: NotionClient, id_: str) -> bool:
    """Whether there is a page or a database of an id; Notion has an endpoint for each kind."""
    client = web.client
    calls: dict[str, Callable[..., Any]] = {
        "page_id": client.pages.retrieve,
        "database_id": client.databases.retrieve,
        "data_source_id": client.data_sources.retrieve,
    }
    for kind, call in calls.items():
        try:
            return not is_trashed(await web.request(call, **{kind: id_}))
        except ConnectorError as error:  # that of another kind is absent, or refused as such
            if not is_not_shown(error) or error.code == "connector_refused":
                raise
    return False


def _parse_id(location: str) -> str:
    """The id in an address, or the id that it is; "" where it is neither.

    An address ends with it, and a row that lies open over its database stands in the query.
    """
    try:
        parts = urlsplit(location.strip().lower())
    except ValueError:
        return ""
    open_ = parse_qs(parts.query).get("p", [""])[0]
    found = ID_PATTERN.findall(open_) or ID_PATTERN.findall(parts.path)
    return str(UUID(found[-1])) if found else ""


def _build_document(
    root: str, page: dict[str, Any], blocks: list[dict[str, Any]], path: str, author: str
) -> Document:
    name, id_ = get_title(page) or UNTITLED, get_string(page, "id")
    text = "\n\n".join(part for part in (format_properties(page), convert_blocks(blocks)) if part)
    ids = dict.fromkeys(one for one in find_linked_ids(page, blocks) if one)
    return Document(
        uri=f"{root}/{id_}",
        url=get_string(page, "url") or build_page_url(id_),
        title=name,
        author=author,
        site="Notion",
        text=text or name,
        connector=Notion.name,
        published=iso_date(get_string(page, "created_time")),
        version=_get_version(get_string(page, "last_edited_time")),
        path=path,
        links=tuple(f"{root}/{one}" for one in ids),
    )


def _get_version(edited: str) -> str:
    """Notion's times are whole minutes: what was just edited is read once more the next time."""
    try:
        age = datetime.now(UTC) - datetime.fromisoformat(edited)
    except (ValueError, TypeError):
        return edited
    return f"{edited} and after" if age < timedelta(minutes=2) else edited
