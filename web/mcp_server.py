"""The MCP server, whatever carries it: its tools, saved reports as resources, progress, errors."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib.metadata import version
from typing import Any

from mcp import McpError, types
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.helper_types import ReadResourceContents
from pydantic import AnyUrl, ValidationError

from schema.access import Member
from schema.error_text import describe_expected
from schema.errors import InputError, QuireError
from serving.live_runs import LiveRuns
from serving.stored_reports import list_reports
from web.mcp_tools import REPORT_ADDRESS, TOOLS, Caller, read_report, render_result

_log = logging.getLogger("quire")

MAX_REPORTS = 100
"""Saved reports that are listed, the newest."""

INSTRUCTIONS = (
    "Quire answers from the user's own library and configured sources, with checked citations. "
    "Search first where a few passages will do; ask for one answer; write a report for a survey."
)

FAULT = "A fault of Quire's own ended this: see its log."

McpServer = Server[Any, Any]


def build_mcp_server(runs: LiveRuns, find_member: Callable[[Any], Member]) -> McpServer:
    """The server.

    Args:
        runs: where reports are written.
        find_member: who asks, by the HTTP request that a message came with; None over stdio.
    """
    server: McpServer = Server("quire", version("quire"), INSTRUCTIONS)

    def get_caller_member() -> Member:
        return find_member(server.request_context.request)

    @server.list_tools()  # type: ignore[no-untyped-call, untyped-decorator]
    async def list_tools() -> list[types.Tool]:
        return [_describe_tool(name) for name in TOOLS]

    @server.call_tool(validate_input=False)  # type: ignore[untyped-decorator]
    async def call_tool(name: str, given: dict[str, Any]) -> types.CallToolResult:
        try:
            async with _telling(server) as tell:
                result = await _call(name, given, Caller(get_caller_member(), runs, tell))
        except QuireError as error:
            return _make_result(str(error), failed=True)
        except Exception:  # noqa: BLE001  (the protocol would tell the client all of it)
            _log.exception("the MCP tool %s", name)
            return _make_result(FAULT, failed=True)
        made = _make_result(render_result(result))
        made.structuredContent = result if isinstance(result, dict) else None
        return made

    @server.list_resources()  # type: ignore[no-untyped-call, untyped-decorator]
    async def list_resources() -> list[types.Resource]:
        with _to_protocol_error():
            held = await list_reports(get_caller_member())
        return [
            types.Resource(
                uri=AnyUrl(f"{REPORT_ADDRESS}{one.id}"),
                name=one.title or one.question[:200],
                description=one.question[:500],
                mimeType="text/markdown",
            )
            for one in held
            if one.finished
        ][:MAX_REPORTS]

    @server.list_resource_templates()  # type: ignore[no-untyped-call, untyped-decorator]
    async def list_templates() -> list[types.ResourceTemplate]:
        return [
            types.ResourceTemplate(
                uriTemplate=f"{REPORT_ADDRESS}{{id}}",
                name="report",
                description="A saved report",
                mimeType="text/markdown",
            )
        ]

    @server.read_resource()  # type: ignore[no-untyped-call, untyped-decorator]
    async def read_resource(uri: AnyUrl) -> list[ReadResourceContents]:
        with _to_protocol_error():
            identity = str(uri).removeprefix(REPORT_ADDRESS)
            text = await read_report(identity, get_caller_member())
        return [ReadResourceContents(text, "text/markdown")]

    return server


def _describe_tool(name: str) -> types.Tool:
    tool = TOOLS[name]
    schema = tool.arguments.model_json_schema()
    schema.pop("description", None)
    return types.Tool(
        name=name,
        description=tool.description,
        inputSchema=schema,
        annotations=types.ToolAnnotations(
            readOnlyHint=tool.reads_only, destructiveHint=False, openWorldHint=not tool.reads_only
        ),
    )


async def _call(name: str, given: dict[str, Any], caller: Caller) -> Any:
    if (tool := TOOLS.get(name)) is None:
        raise InputError(f"There is no tool {name[:100]!r}: use one of {', '.join(TOOLS)}.")
    try:
        arguments = tool.arguments(**given)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "extra_forbidden":
            known = ", ".join(tool.arguments.model_fields)
            raise InputError(f"There is no argument {place[:100]}: use {known}.") from None
        raise InputError(
            f"The argument {place} cannot be used: {describe_expected(fault)}."
        ) from None
    return await tool.work(arguments, caller)


def _make_result(text: str, *, failed: bool = False) -> types.CallToolResult:
    content = types.TextContent(type="text", text=text.encode(errors="replace").decode())
    return types.CallToolResult(content=[content], isError=failed)


@asynccontextmanager
async def _telling(server: McpServer) -> AsyncIterator[Callable[[str], None]]:
    """What takes lines about the progress of this call, and sends them where a client wants any."""
    context = server.request_context
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    if context.meta is None or (token := context.meta.progressToken) is None:
        yield lambda _: None
        return

    async def send_all() -> None:
        count = 0
        while (line := await lines.get()) is not None:
            count += 1
            await context.session.send_progress_notification(
                token, count, message=line, related_request_id=str(context.request_id)
            )

    sending = asyncio.create_task(send_all())
    try:
        yield lines.put_nowait
        lines.put_nowait(None)
        await sending
    finally:
        sending.cancel()


@contextmanager
def _to_protocol_error() -> Iterator[None]:
    """What goes wrong becomes the protocol's error, with one sentence."""
    try:
        yield
    except QuireError as error:
        raise McpError(types.ErrorData(code=types.INVALID_PARAMS, message=str(error))) from None
    except Exception:  # noqa: BLE001  (the protocol would tell the client all of it)
        _log.exception("an MCP resource")
        raise McpError(types.ErrorData(code=types.INTERNAL_ERROR, message=FAULT)) from None
