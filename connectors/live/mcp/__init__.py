"""`mcp`: the search tools of servers that speak the Model Context Protocol."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import chain, zip_longest
from typing import Any
from urllib.parse import quote

from connectors.files.dates import iso_date
from connectors.files.file_text import UnreadableError
from connectors.files.web_page import read_web_page
from connectors.http.client import web_host
from connectors.json_fields import get_fields, parse_json
from connectors.live.mcp.servers import SERVERS, Server, load_servers, open_session
from connectors.protocol import Limits, LiveConnector
from schema.documents import Document
from schema.error_text import join_sentences
from schema.errors import ConnectorError

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


class Mcp(LiveConnector):
    """Asks every server that QUIRE_MCP_SERVERS names, each in a session of its own."""

    name = "mcp"
    description = "what the search tools of your MCP servers find"
    document_description = (
        "a result: its web address, else `mcp://server/...`; its title, author and date as the "
        "tool gives them"
    )
    required_variables = (SERVERS,)
    package = "langchain_mcp_adapters"
    limits = Limits(concurrency=4)

    async def search(self, query: str, *, limit: int, since: str = "") -> list[Document]:  # noqa: ARG002  (no argument for it is common)
        """Ask all servers at once, and take turns with their results.

        Raises:
            ConnectorError: none of them answered.
        """
        servers = await load_servers()
        async with asyncio.TaskGroup() as group:  # stopped, it waits until all sessions are closed
            tasks = [
                group.create_task(_search_server(*one, query, limit)) for one in servers.items()
            ]
        answers = [task.result() for task in tasks]
        found = [answer for answer in answers if not isinstance(answer, ConnectorError)]
        if not found:
            raise _merge_errors([one for one in answers if isinstance(one, ConnectorError)])
        turns = chain.from_iterable(zip_longest(*found))
        return [document for document in turns if document][:limit]


def _merge_errors(errors: Sequence[ConnectorError]) -> ConnectorError:
    """Why every server failed; a retry may help as soon as it may with one of them."""
    first = next((error for error in errors if error.retryable), errors[0])
    message = join_sentences(map(str, errors))
    return ConnectorError(message, code=first.code, retryable=first.retryable, wait=first.wait)


async def _search_server(
    name: str, server: Server, query: str, limit: int
) -> list[Document] | ConnectorError:
    """What one server found, or why it could not look."""
    try:
        tool, results = await _call_tool(f"MCP server {name}", server, query, limit)
    except ConnectorError as error:
        return error
    now = datetime.now(UTC)
    found = [one for result in results if (one := _parse_result(name, tool, result, now))]
    return found[:limit]


async def _call_tool(
    provider: str, server: Server, query: str, limit: int
) -> tuple[str, list[Any]]:
    """The tool that was asked, and its results."""
    async with open_session(provider, server) as opened:
        tool, argument = await _choose_tool(provider, server, opened)
        answer = await opened.call_tool(tool, {argument: query})
        if answer.isError:
            raise ConnectorError(f"{provider} failed: its tool '{tool}' reported an error")
        return tool, await _read_results(opened, answer, limit)


async def _choose_tool(provider: str, server: Server, opened: Any) -> tuple[str, str]:
    """The tool to call, and its argument that takes the question.

    Raises:
        ConnectorError: the variable has to name them, or names them wrongly.
    """
    if server.tool and server.argument:
        return server.tool, server.argument
    tools = await _list_tools(opened)
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
        for name, fields in get_fields(properties).items()
        if isinstance(fields, dict) and fields.get("type") == "string" and name in (required or ())
    ]
    if len(strings) != 1:
        raise ConnectorError(
            f"The tool '{tool.name}' of {provider} has {len(strings)} required texts: name the one "
            f'for the question as "argument" in {SERVERS}'
        )
    return tool.name, strings[0]


async def _list_tools(opened: Any) -> list[Any]:
    from mcp.types import PaginatedRequestParams  # noqa: PLC0415  (an extra)

    tools, params = list[Any](), None
    while True:
        page = await opened.list_tools(params=params)
        tools += page.tools
        if not page.nextCursor:
            return tools
        params = PaginatedRequestParams(cursor=page.nextCursor)


async def _read_results(opened: Any, answer: Any, limit: int) -> list[Any]:
    """Results in the tool's order: of its structured answer, else of its texts, and resources."""
    blocks = answer.content
    found = _find_results(answer.structuredContent)
    if found is None:
        texts = [block.text for block in blocks if block.type == "text" and block.text.strip()]
        lists = [_find_results(parse_json(text)) for text in texts]
        found = [result for listed in lists if listed is not None for result in listed]
        plain = [text for text, listed in zip(texts, lists, strict=True) if listed is None]
        if plain and not found:
            found = ["\n\n".join(plain)]
    for block in [one for one in blocks if one.type == "resource"][:limit]:
        words = await _read_resources([block.resource])
        found.append({"url": str(block.resource.uri), "text": words})
    for block in [one for one in blocks if one.type == "resource_link"][:limit]:
        found.append(await _follow_link(opened, block))
    return found


def _find_results(answer: Any, depth: int = 3) -> list[Any] | None:
    """The results that an answer holds, or the answer itself if it is one; None if neither."""
    if isinstance(answer, list):
        return list(answer)
    if not isinstance(answer, dict) or not depth:
        return None
    named = [answer[name] for name in LISTS if name in answer]
    for one in named:
        if (inner := _find_results(one, depth - 1)) is not None:
            return inner
    if _get_first(answer, (*TEXTS, *SNIPPETS)):
        return [answer]
    return [] if named and not any(named) else None


async def _read_resources(contents: Sequence[Any]) -> str:
    """The text of a resource. Its binary parts are left out, of HTML the main text is taken."""
    texts = []
    for one in contents:
        text = getattr(one, "text", "")
        if text and (one.mimeType or "").startswith("text/html"):
            try:
                text = (await read_web_page(text.encode(errors="replace"))).require_main().text
            except UnreadableError:
                continue
        texts.append(text)
    return "\n\n".join(texts)


async def _follow_link(opened: Any, link: Any) -> dict[str, Any]:
    """What a link leads to, read through its server, else what the link says of it."""
    from mcp import McpError  # noqa: PLC0415

    fields = {"url": str(link.uri), "title": link.title or link.name, "summary": link.description}
    try:
        read = await opened.read_resource(link.uri)
    except McpError:
        return fields
    return {**fields, "text": await _read_resources(read.contents)}


def _parse_result(server: str, tool: str, result: Any, now: datetime) -> Document | None:
    fields = {"text": result} if isinstance(result, str) else result
    if not isinstance(fields, dict):
        return None
    text, snippet = _get_first(fields, TEXTS), _get_first(fields, SNIPPETS)
    link = _get_first(fields, LINKS)
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
        title=_get_first(fields, TITLES) or body.splitlines()[0][:100],
        author=_get_first(fields, ("author",)),
        site=host or server,
        published=iso_date(_get_first(fields, DATES)),
        fetched=now,
        excerpt=not text,
    )


def _get_first(fields: dict[str, Any], names: Sequence[str]) -> str:
    """The first of these fields that holds words."""
    values = (fields.get(name) for name in names)
    return next((value for value in values if isinstance(value, str) and value.strip()), "")
