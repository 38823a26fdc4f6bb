"""The chat calls of an OpenAI-compatible provider: how they are read and answered."""

import json
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

CHUNK_CHARS = 16


@dataclass(frozen=True)
class ChatRequest:
    """One chat call as the fake understood it.

    Attributes:
        model: The model asked for.
        messages: Role and content of every message, the content flattened to text.
        schema: The JSON schema asked for by response_format or by the single tool.
        stream: Whether the reply is to be streamed.
        raw: The whole body as it came in.
        prompt_tokens: What the server counts of the prompt; None to have it estimated.
    """

    model: str
    messages: list[dict[str, str]]
    schema: dict[str, Any] | None
    stream: bool
    raw: dict[str, Any]
    prompt_tokens: int | None = None

    @property
    def text(self) -> str:
        """The contents of all messages, one after the other."""
        return "\n".join(message["content"] for message in self.messages)


def read_chat(body: dict[str, Any]) -> ChatRequest:
    """Reads the body of a chat call."""
    messages = [
        {"role": message["role"], "content": flat(message.get("content"))}
        for message in body["messages"]
    ]
    return ChatRequest(
        model=body["model"],
        messages=messages,
        schema=asked_schema(body),
        stream=bool(body.get("stream")),
        raw=body,
    )


def flat(content: str | list[dict[str, Any]] | None) -> str:
    """Joins the text parts of a message's content."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def asked_schema(body: dict[str, Any]) -> dict[str, Any] | None:
    """Finds the JSON schema that the reply has to follow, if there is one."""
    wanted = (body.get("response_format") or {}).get("json_schema")
    if wanted is None:
        tools = body.get("tools") or []
        wanted = {"schema": tools[0]["function"].get("parameters")} if len(tools) == 1 else {}
    schema: dict[str, Any] | None = wanted.get("schema")
    return schema


def called_tool(body: dict[str, Any], reply: str) -> str | None:
    """Names the tool that a reply calls.

    A forced tool is always called with the reply as its arguments. A tool that is merely on
    offer is called if it is the only one and the reply is a JSON object.

    Args:
        body: The body of the chat call.
        reply: The text given by the test.

    Returns:
        The name of the tool, or None if the reply is plain content.
    """
    tools = body.get("tools") or []
    choice = body.get("tool_choice", "auto")
    if not tools or choice == "none":
        return None
    if isinstance(choice, dict):
        return str(choice["function"]["name"])
    if choice == "required" or (len(tools) == 1 and is_object(reply)):
        return str(tools[0]["function"]["name"])
    return None


def is_object(text: str) -> bool:
    """Tells whether a text is a JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def tokens(text: str) -> int:
    """Estimates the tokens of a text."""
    return len(text) // 4


def usage(asked: ChatRequest, reply: str) -> dict[str, int]:
    """Accounts for a chat call."""
    counted = asked.prompt_tokens
    prompt, completion = tokens(asked.text) if counted is None else counted, tokens(reply)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }


def head(asked: ChatRequest, kind: str) -> dict[str, Any]:
    """Writes the fields that every reply to a chat call starts with."""
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "object": kind,
        "created": int(time.time()),
        "model": asked.model,
    }


def tool_call(name: str, arguments: str) -> dict[str, Any]:
    """Writes a tool call."""
    function = {"name": name, "arguments": arguments}
    return {"id": f"call_{uuid.uuid4().hex}", "type": "function", "function": function}


def completion(asked: ChatRequest, reply: str) -> dict[str, Any]:
    """Writes the whole reply to a chat call that does not stream."""
    tool = called_tool(asked.raw, reply)
    message: dict[str, Any] = {"role": "assistant", "content": reply, "refusal": None}
    if tool is not None:
        message |= {"content": None, "tool_calls": [tool_call(tool, reply)]}
    finish = "stop" if tool is None else "tool_calls"
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
    return {
        **head(asked, "chat.completion"),
        "choices": [choice],
        "usage": usage(asked, reply),
    }


def chunks(asked: ChatRequest, reply: str) -> Iterator[dict[str, Any]]:
    """Writes the chunks of a streamed reply, the usage last if it was asked for."""
    with_usage = bool((asked.raw.get("stream_options") or {}).get("include_usage"))
    base = head(asked, "chat.completion.chunk") | ({"usage": None} if with_usage else {})
    tool = called_tool(asked.raw, reply)
    opening: dict[str, Any] = {"role": "assistant", "content": "", "refusal": None}
    if tool is not None:
        opening |= {"content": None, "tool_calls": [{"index": 0, **tool_call(tool, "")}]}
    deltas: list[dict[str, Any]] = [opening]
    for start in range(0, len(reply), CHUNK_CHARS):
        piece = reply[start : start + CHUNK_CHARS]
        if tool is None:
            deltas.append({"content": piece})
        else:
            deltas.append({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
    for delta in deltas:
        yield {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    finish = "stop" if tool is None else "tool_calls"
    yield {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
    if with_usage:
        yield {**base, "choices": [], "usage": usage(asked, reply)}
