"""`mcp`: the search tools of servers that speak the Model Context Protocol."""

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import chain, zip_longest
from typing import Any, Literal
from urllib.parse import quote

from connectors.net.http import web_host
from connectors.protocol import Limits
from connectors.providers.mcp_servers import SERVERS, Server, named_servers, session
from connectors.reading.dates import iso_date
from connectors.reading.file_text import UnreadableError
from connectors.reading.web_page import read_web_page
from schema.documents import Document
from schema.errors import ConnectorError
from schema.faults import joined

TEXT_CHARACTERS = 100_000
"""Of one document: a tool may answer with anything."""

URI_BYTES = 1_000
"""Of an address: longer ones are no keys of the library's."""

LISTS = ("results", "items", "documents", "organic", "hits", "data", "web", "result")
"""What answers call their list, or the object that holds it."""
LINKS = ("url", "link", "uri")
TITLES = ("title", "name")
TEXTS = ("text", "content", "markdown")
SNIPPETS = ("snippet", "description", "summary")
DATES = ("date", "published", "published_date", "publishedDate")


class Mcp:
    """Asks every server that QUIRE_MCP_SERVERS names, each in a session of its own."""

    name = "mcp"
    kind: Literal["live"] = "live"
    reads = "what the search tools of your MCP servers find"
    document = (
        "a result: its web address, else `mcp://server/...`; its title, author and date as the "
        "tool gives them"
    )
    needs = (SERVERS,)
    package = "langchain_mcp_adapters"
    languages = ()
    limits = Limits(concurrency=4)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:  # noqa: ARG002  (no argument for it is common)
        """Ask all servers at once, and take turns with their results.

        Raises:
            ConnectorError: none of them answered.
        """
        servers = await named_servers()
        async with asyncio.TaskGroup() as group:  # stopped, it waits until all sessions are closed
            tasks = [group.create_task(_asked(*one, query, limit)) for one in servers.items()]
        answers = [task.result() for task in tasks]
        found = [answer for answer in answers if not isinstance(answer, ConnectorError)]
        if not found:
            raise _all_failed([one for one in answers if isinstance(one, ConnectorError)])
        turns = chain.from_iterable(zip_longest(*found))
        return [document for document in turns if document][:limit]


def _all_failed(errors: Sequence[ConnectorError]) -> ConnectorError:
    """What every server said; a retry may help as soon as it may with one of them."""
    first = next((error for error in errors if error.passing), errors[0])
    message = joined(map(str, errors))
    return ConnectorError(message, code=first.code, passing=first.passing, wait=first.wait)


async def _asked(
    name: str, server: Server, query: str, limit: int
) -> list[Document] | ConnectorError:
    """What one server found, or why it could not look."""
    try:
        tool, results = await _ask(f"MCP server {name}", server, query, limit)
    except ConnectorError as error:
        return error
    now = datetime.now(UTC)
    found = [one for result in results if (one := _document(name, tool, result, now))]
    return found[:limit]


async def _ask(provider: str, server: Server, query: str, limit: int) -> tuple[str, list[Any]]:
    """The tool that was asked, and its results."""
    async with session(provider, server) as opened:
        tool, argument = await _tool(provider, server, opened)
        answer = await opened.call_tool(tool, {argument: query})
        if answer.isError:
            raise ConnectorError(f"{provider} failed: its tool '{tool}' reported an error")
        return tool, await _results(opened, answer, limit)


async def _tool(provider: str, server: Server, opened: Any) -> tuple[str, str]:
    """The tool to call, and its argument that takes the question.

    Raises:
        ConnectorError: the variable has to name them, or names them wrongly.
    """
    if server.tool and server.argument:
        return server.tool, server.argument
    tools = await _tools(opened)
    fits = [
        tool
        for tool in tools
        if tool.name == server.tool or (not server.tool and "search" in tool.name.casefold())
    ]
    if len(fits) != 1:
        what = f"no tool '{server.tool}'" if server.tool else f"{len(fits)} search tools"
        names = ", ".join(tool.name for tool in fits or tools)[:200]
        raise ConnectorError(f'{provider} has {what}: name one as "tool" in {SERVERS} ({names})')
    (tool,) = fits
    if server.argument:
        return tool.name, server.argument
    properties, required = tool.inputSchema.get("properties"), tool.inputSchema.get("required")
    strings = [
        name
        for name, told in (properties if isinstance(properties, dict) else {}).items()
        if isinstance(told, dict) and told.get("type") == "string" and name in (required or ())
    ]
    if len(strings) != 1:
        raise ConnectorError(
            f"The tool '{tool.name}' of {provider} has {len(strings)} required texts: name the one "
            f'for the question as "argument" in {SERVERS}'
        )
    return tool.name, strings[0]


async def _tools(opened: Any) -> list[Any]:
    from mcp.types import PaginatedRequestParams  # noqa: PLC0415  (an extra)

    tools, params = list[Any](), None
    while True:
        page = await opened.list_tools(params=params)
        tools += page.tools
        if not page.nextCursor:
            return tools
        params = PaginatedRequestParams(cursor=page.nextCursor)


async def _results(opened: Any, answer: Any, limit: int) -> list[Any]:
    """Results in the tool's order: of its structured answer, else of its texts, and resources."""
    blocks = answer.content
    found = _listed(answer.structuredContent)
    if found is None:
        texts = [block.text for block in blocks if block.type == "text" and block.text.strip()]
        lists = [_listed(_parsed(text)) for text in texts]
        found = [result for listed in lists if listed is not None for result in listed]
        plain = [text for text, listed in zip(texts, lists, strict=True) if listed is None]
        if plain and not found:
            found = ["\n\n".join(plain)]
    for block in [one for one in blocks if one.type == "resource"][:limit]:
        words = await _words([block.resource])
        found.append({"url": str(block.resource.uri), "text": words})
    for block in [one for one in blocks if one.type == "resource_link"][:limit]:
        found.append(await _linked(opened, block))
    return found


def _listed(answer: Any, depth: int = 3) -> list[Any] | None:
    """The results that an answer holds, or the answer itself if it is one; None if neither."""
    if isinstance(answer, list):
        return list(answer)
    if not isinstance(answer, dict) or not depth:
        return None
    named = [answer[name] for name in LISTS if name in answer]
    for one in named:
        if (inner := _listed(one, depth - 1)) is not None:
            return inner
    if _first(answer, (*TEXTS, *SNIPPETS)):
        return [answer]
    return [] if named and not any(named) else None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


async def _words(contents: Sequence[Any]) -> str:
    """The text of a resource. Its binary parts are left out, of HTML the main text is taken."""
    texts = []
    for one in contents:
        text = getattr(one, "text", "")
        if text and (one.mimeType or "").startswith("text/html"):
            try:
                text = (await read_web_page(text.encode(errors="replace"))).text().text
            except UnreadableError:
                continue
        texts.append(text)
    return "\n\n".join(texts)


async def _linked(opened: Any, link: Any) -> dict[str, Any]:
    """What a link leads to, read through its server, else what the link says of it."""
    from mcp import McpError  # noqa: PLC0415

    told = {"url": str(link.uri), "title": link.title or link.name, "summary": link.description}
    try:
        read = await opened.read_resource(link.uri)
    except McpError:
        return told
    return {**told, "text": await _words(read.contents)}


def _document(server: str, tool: str, result: Any, now: datetime) -> Document | None:
    told = {"text": result} if isinstance(result, str) else result
    if not isinstance(told, dict):
        return None
    text, snippet, link = _first(told, TEXTS), _first(told, SNIPPETS), _first(told, LINKS)
    body = (text or snippet).strip()[:TEXT_CHARACTERS]
    if not body:
        return None
    host = web_host(link)
    place = f"mcp://{quote(server, safe='')}"
    short = link.isprintable() and len(link.encode()) <= URI_BYTES
    named = link if short else ""
    hashed = blake2b((link or body).encode(errors="replace"), digest_size=16).hexdigest()
    return Document(
        uri=named if named and host else f"{place}/{named or f'{tool}/{hashed}'}",
        url=named if host else "",
        text=body,
        connector=Mcp.name,
        title=_first(told, TITLES) or body.splitlines()[0][:100],
        author=_first(told, ("author",)),
        site=host or server,
        published=iso_date(_first(told, DATES)),
        fetched=now,
        excerpt=not text,
    )


def _first(told: dict[str, Any], names: Sequence[str]) -> str:
    """The first of these fields that holds words."""
    values = (told.get(name) for name in names)
    return next((value for value in values if isinstance(value, str) and value.strip()), "")
