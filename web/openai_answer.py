"""Answers in the forms of OpenAI's chat completions: whole, in pieces, or an error."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from schema.report import RoleUsage

DONE = b"data: [DONE]\n\n"

KEEP_ALIVE = b": still working\n\n"
"""A comment of the stream, which clients pass over and which keeps proxies from cutting it."""

_KINDS = {
    401: ("authentication_error", "invalid_api_key"),
    403: ("permission_error", None),
    404: ("invalid_request_error", "not_found"),
    429: ("rate_limit_error", "rate_limit_exceeded"),
}


@dataclass(frozen=True)
class Written:
    """What there is to say: Markdown, the report's id if it is one, tokens in and out."""

    text: str
    report: str = ""
    tokens: tuple[int, int] = (0, 0)


def count_tokens(usage: Mapping[str, RoleUsage]) -> tuple[int, int]:
    """Tokens that all models of a run read and wrote."""
    roles = usage.values()
    return sum(one["input_tokens"] for one in roles), sum(one["output_tokens"] for one in roles)


def make_error(status: int, sentence: str, code: str | None = None) -> dict[str, Any]:
    """The body of an answer that says what is wrong."""
    fallback = "server_error" if status >= 500 else "invalid_request_error"
    kind, usual = _KINDS.get(status, (fallback, None))
    error = {"message": sentence, "type": kind, "param": None, "code": code or usual}
    return {"error": error}


@dataclass(frozen=True)
class Completion:
    """An answer under way: its pieces carry the same id."""

    model: str
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))

    def make_whole(self, written: Written) -> dict[str, Any]:
        """The answer at once."""
        message = {"role": "assistant", "content": written.text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return {
            **self._make_head("chat.completion"),
            "choices": [choice],
            "usage": _make_usage(written),
            **_name_report(written),
        }

    def make_chunk(self, *, finish: str | None = None, **delta: str) -> bytes:
        """An event with a piece: of `content`, `reasoning_content` or the `role`."""
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return make_event({**self._make_head("chat.completion.chunk"), "choices": [choice]})

    def make_last_chunk(self, written: Written) -> bytes:
        """The event that says why the answer ends, and which report it is."""
        choice = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": "stop"}
        head = self._make_head("chat.completion.chunk")
        return make_event({**head, "choices": [choice], **_name_report(written)})

    def make_usage_chunk(self, written: Written) -> bytes:
        """The event behind the last, for clients that asked what was spent."""
        head = self._make_head("chat.completion.chunk")
        return make_event({**head, "choices": [], "usage": _make_usage(written)})

    def _make_head(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def make_event(value: object) -> bytes:
    """An event of the stream."""
    return b"data: " + dump(value) + b"\n\n"


def dump(value: object) -> bytes:
    """JSON in one line; halves of characters, which a model may write, become question marks."""
    return json.dumps(value, ensure_ascii=False).encode(errors="replace")


def _make_usage(written: Written) -> dict[str, int]:
    read, wrote = written.tokens
    return {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote}


def _name_report(written: Written) -> dict[str, Any]:
    return {"quire": {"report": written.report}} if written.report else {}
