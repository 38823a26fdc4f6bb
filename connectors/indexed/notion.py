"""`notion`: the pages that a workspace shares with an integration, through Notion's API."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from connectors.net.ahead import ahead
from connectors.net.refusals import unreadable
from connectors.protocol import Limits, Since
from connectors.providers.notion_text import linked, markdown, page_address, properties, title, word
from connectors.providers.notion_tree import ID, UNTITLED, Tree
from connectors.providers.notion_web import KEY, CutOffError, Web, trashed, unshown
from connectors.reading.dates import iso_date
from schema.documents import Change, Document, Gone, Skipped, Unchanged
from schema.errors import ConnectorError, InputError

KEPT = 1_000
"""Changed pages that are kept as the listing gives them; further ones are asked for again."""


class Notion:
    """Pages, among them the rows of databases. What lies in the trash there is removed here.

    A page that only moved, or whose parent has another title, keeps its old place in the tree
    until it is edited. Pages are found by Notion's search, which learns of new ones with delay.
    """

    name = "notion"
    kind: Literal["indexed"] = "indexed"
    reads = "pages and rows of databases"
    document = (
        "a page: `notion://WORKSPACE/ID`, or `notion://TOP/ID` where the place is the page or "
        "database TOP, its title, creator, address and day of creation, at its parents' titles"
    )
    needs = (KEY,)
    package = "notion_client"
    languages = ()
    limits = Limits(concurrency=3)

    async def root(self, place: str) -> str:
        """`*` for all pages; else a page or a database by its address or id, with all below."""
        async with Web(self.limits) as web:
            if place == "*":
                me = await web.ask(web.client.users.me)
                workspace = word(me, "bot", "workspace_id") or word(me, "id")
                if not workspace:
                    raise unreadable("Notion")
                return f"notion://{workspace}"
            if (top := _id(place)) and await _exists(web, top):
                return f"notion://{top}"
        raise InputError(
            f"Notion shows this integration no page or database '{place}': add the integration to "
            "its connections there, and write its address, its id, or * for all pages."
        )

    async def sync(self, since: Since) -> AsyncIterator[Change]:
        """List all pages with the time of their last edit, and read those that are new."""
        known = {uri.rpartition("/")[2]: version for uri, version in since.versions.items()}
        async with Web(self.limits) as web:
            tree = Tree(web, "" if since.place == "*" else since.root.rpartition("/")[2])
            kept, wanted, here = dict[str, dict[str, Any]](), list[str](), set[str]()

            def take(thing: dict[str, Any]) -> None:
                id_, version = tree.add(thing)
                if version and known.get(id_) != version and len(kept) < KEPT:
                    kept[id_] = thing

            whole = await _listed(web, tree, take)
            unlisted = known.keys() - tree.pages().keys()  # a search may pass over some
            async for page in ahead(unlisted, web.page, self.limits.concurrency):
                take(page or {})
            pages = tree.pages()
            async for id_ in ahead(pages, tree.held, self.limits.concurrency):
                if id_:
                    here.add(id_)
                    if known.get(id_) == pages[id_]:
                        yield Unchanged(uri=f"{since.root}/{id_}")
                    else:
                        wanted.append(id_)

            async def read(id_: str) -> Change | None:
                try:
                    page = kept.pop(id_, None) or await web.page(id_)
                    blocks = await web.blocks(id_) if page else []
                except ConnectorError as error:
                    if not unshown(error):
                        raise
                    if error.code != "connector_absent":
                        return Skipped(uri=f"{since.root}/{id_}", reason=str(error))
                    page = None
                if not page:
                    here.discard(id_)
                    return None
                author = await web.user(word(page, "created_by", "id"))
                return _document(since.root, page, blocks, await tree.path(id_), author)

            async for change in ahead(wanted, read, self.limits.concurrency):
                if change:
                    yield change
        for id_ in known.keys() - here:
            yield Gone(uri=f"{since.root}/{id_}")
        if not whole:
            raise ConnectorError(
                "Notion does not list all pages of this place, as they are too many: ingest its "
                "parts one by one, each by its address"
            )


async def _listed(web: Web, tree: Tree, take: Callable[[dict[str, Any]], None]) -> bool:
    """Take what there is; whether that was all.

    Of more than 20,000 pages a search shows the first and the last. The rows of databases, most
    of what is so many, have listings of their own.
    """
    try:
        async for thing in web.listed():
            take(thing)
    except CutOffError:
        whole = tree.is_database
        async for source in tree.sources():
            try:
                async for row in web.rows(source):
                    take(row)
            except CutOffError:
                whole = False
        return whole
    return True


async def _exists(web: Web, id_: str) -> bool:
    """Whether there is a page or a database of an id; Notion has an endpoint for each kind."""
    client = web.client
    calls: dict[str, Callable[..., Any]] = {
        "page_id": client.pages.retrieve,
        "database_id": client.databases.retrieve,
        "data_source_id": client.data_sources.retrieve,
    }
    for kind, call in calls.items():
        try:
            return not trashed(await web.ask(call, **{kind: id_}))
        except ConnectorError as error:  # that of another kind is absent, or refused as such
            if not unshown(error) or error.code == "connector_refused":
                raise
    return False


def _id(place: str) -> str:
    """The id in an address, or the id that it is; "" where it is neither.

    An address ends with it, and a row that lies open over its database stands in the query.
    """
    try:
        parts = urlsplit(place.strip().lower())
    except ValueError:
        return ""
    open_ = parse_qs(parts.query).get("p", [""])[0]
    found = ID.findall(open_) or ID.findall(parts.path)
    return str(UUID(found[-1])) if found else ""


def _document(
    root: str, page: dict[str, Any], blocks: list[dict[str, Any]], path: str, author: str
) -> Document:
    name, id_ = title(page) or UNTITLED, word(page, "id")
    text = "\n\n".join(part for part in (properties(page), markdown(blocks)) if part)
    ids = dict.fromkeys(one for one in linked(page, blocks) if one)
    return Document(
        uri=f"{root}/{id_}",
        url=word(page, "url") or page_address(id_),
        title=name,
        author=author,
        site="Notion",
        text=text or name,
        connector=Notion.name,
        published=iso_date(word(page, "created_time")),
        version=_version(word(page, "last_edited_time")),
        path=path,
        links=tuple(f"{root}/{one}" for one in ids),
    )


def _version(edited: str) -> str:
    """Notion's times are whole minutes: what was just edited is read once more the next time."""
    try:
        age = datetime.now(UTC) - datetime.fromisoformat(edited)
    except (ValueError, TypeError):
        return edited
    return f"{edited} and after" if age < timedelta(minutes=2) else edited
