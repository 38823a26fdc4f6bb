"""MCP servers by name: how they are written down, and a session with one of them."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import httpx
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from connectors.http import client as http
from connectors.http.errors import http_error, to_connector_error
from schema.errors import ConnectorError
from schema.settings import get_settings, read_variable

SERVERS = "QUIRE_MCP_SERVERS"

DEADLINE_SHARE = 0.8
"""Of the time that a run gives a connector, what one server may take: the others' answers must
still be in time."""

CLOSE_SECONDS = 1.0
"""Seconds that ending a session may take."""

_VARIABLE = re.compile(r"\$\{(\w+)\}")


class Server(BaseModel):
    """A server as the variable describes it. Its values may name variables, as ${NAME}."""

    model_config = ConfigDict(extra="forbid")

    transport: Literal["streamable_http", "sse", "stdio"]
    url: str = ""
    headers: dict[str, str] = {}
    command: str = ""
    args: list[str] = []
    env: dict[str, str] = {}
    tool: str = ""
    argument: str = ""


_Servers = TypeAdapter(Annotated[dict[str, Server], Field(min_length=1)])


async def load_servers() -> dict[str, Server]:
    """The servers of QUIRE_MCP_SERVERS, which holds JSON or the path of a JSON file.

    Raises:
        ConnectorError: it cannot be read.
    """
    config = read_variable(SERVERS)
    try:
        if not config.startswith("{"):
            config = await asyncio.to_thread(_read_config, config)
        return _Servers.validate_json(config)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = "".join(f"{part}: " for part in first["loc"])
        raise ConnectorError(f"{SERVERS} cannot be used: {where}{first['msg']}") from None
    except (OSError, ValueError, RuntimeError):  # the last is of a home that nobody has
        message = f"{SERVERS} names no file that can be read: write JSON, or the path of a file"
        raise ConnectorError(message) from None


def _read_config(path: str) -> str:
    return Path(path).expanduser().read_text(encoding="utf-8")


@asynccontextmanager
async def open_session(provider: str, server: Server) -> AsyncIterator[Any]:
    """A session with a server, the client's `ClientSession`; it is closed whatever happens.

    Args:
        provider: the server's name, for messages.
        server: how it is reached.

    Raises:
        ConnectorError: anything went wrong in it.
    """
    create_session = await asyncio.to_thread(_import_client)
    broken: list[Exception] = []
    seconds = min(http.SECONDS, DEADLINE_SHARE * get_settings().connector_seconds)
    key = " and ".join(dict.fromkeys(_VARIABLE.findall(server.model_dump_json()))) or SERVERS
    try:
        async with asyncio.timeout(seconds) as deadline:

            def on_failure(error: Exception) -> None:
                """End the session: the client itself goes on waiting for an answer."""
                if not broken:
                    broken.append(error)
                    deadline.reschedule(asyncio.get_running_loop().time())

            connection: Any = _build_connection(provider, key, server, on_failure)
            async with create_session(connection) as opened:
                await opened.initialize()
                yield opened
    except Exception as error:  # noqa: BLE001  (the client raises groups of many kinds)
        raise _to_connector_error(provider, key, broken[0] if broken else error) from None


def _import_client() -> Any:
    """What opens a session. Importing it takes a second: not on the event loop."""
    from langchain_mcp_adapters.sessions import create_session  # noqa: PLC0415  (an extra)

    logging.getLogger("mcp.client").setLevel(logging.CRITICAL)  # what it tells is raised here
    return create_session


def _build_connection(
    provider: str, key: str, server: Server, on_failure: Callable[[Exception], None]
) -> dict[str, Any]:
    """What langchain-mcp-adapters takes to reach a server."""
    if server.transport == "stdio":
        return {
            "transport": "stdio",
            "command": _fill_variables(server.command),
            "args": [_fill_variables(one) for one in server.args],
            "env": {name: _fill_variables(value) for name, value in server.env.items()},
        }
    url, _, query = _fill_variables(server.url).partition("?")
    if not http.web_host(url):
        raise ConnectorError(f"{provider} has no web address: write its url into {SERVERS}")

    async def prepare_request(request: httpx.Request) -> None:
        if query:
            request.url = _RedactedUrl(request.url.copy_with(query=query.encode()))
        if request.method == "DELETE":
            request.extensions["timeout"] = httpx.Timeout(CLOSE_SECONDS).as_dict()

    async def check_response(answer: httpx.Response) -> None:
        method = answer.request.method
        if answer.status_code >= 400 and method != "DELETE":
            error = http_error(provider, key, answer.status_code, answer.headers)
            if method == "POST":  # a server need not have what the client GETs beside it
                on_failure(error)
            raise error

    def make_client(headers: dict[str, str] | None = None, **_: object) -> httpx.AsyncClient:
        made = http.make_client(provider, key, headers=headers)
        made.event_hooks = {"request": [prepare_request], "response": [check_response]}
        return made

    async def handle_message(message: object) -> None:
        if isinstance(message, Exception):  # an answer that could not be read to its end
            on_failure(message)

    return {
        "transport": server.transport,
        "url": url,
        "headers": {name: _fill_variables(value) for name, value in server.headers.items()},
        "httpx_client_factory": make_client,
        "session_kwargs": {"message_handler": handle_message},
    }


class _RedactedUrl(httpx.URL):
    """An address that logs show without its query, which may hold a key."""

    def __str__(self) -> str:
        return str(self.copy_with(query=None))


def _fill_variables(value: str) -> str:
    """A value with the variables that it names.

    Raises:
        ConnectorError: one is not set.
    """

    def content(named: re.Match[str]) -> str:
        if found := read_variable(named[1]):
            return found
        message = f"{SERVERS} names the variable {named[1]}: set it"
        raise ConnectorError(message, code="connector_key")

    return _VARIABLE.sub(content, value)


def _to_connector_error(provider: str, key: str, error: Exception) -> ConnectorError:
    from anyio import BrokenResourceError, ClosedResourceError  # noqa: PLC0415
    from mcp import McpError  # noqa: PLC0415
    from mcp.types import CONNECTION_CLOSED  # noqa: PLC0415

    while isinstance(error, ExceptionGroup):
        ours = (one for one in error.exceptions if isinstance(one, ConnectorError))
        error = next(ours, error.exceptions[0])
    if isinstance(error, McpError) and error.error.code != CONNECTION_CLOSED:
        return ConnectorError(f"{provider} refused the search (error {error.error.code})")
    if isinstance(error, McpError | BrokenResourceError | ClosedResourceError):
        return ConnectorError(f"{provider} ended before it answered")
    if isinstance(error, OSError) and not isinstance(error, TimeoutError):
        return ConnectorError(f"{provider} could not be started: check its command in {SERVERS}")
    return to_connector_error(provider, key, error)
