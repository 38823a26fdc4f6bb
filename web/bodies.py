"""Bodies of requests, read no further than they may be long."""

import json
from typing import Any

from starlette.requests import Request

from schema.errors import InputError

MAX_JSON_BYTES = 4 * 2**20
"""Bytes of JSON that a request may bring: a long conversation has a tenth of it."""


class BodyTooLongError(InputError):
    """The body is longer than it may be."""


async def read_json(request: Request) -> dict[str, Any]:
    """The object that a request brings.

    Raises:
        InputError: it is no JSON, or no object.
        BodyTooLongError: it is longer than 4 MiB.
    """
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_JSON_BYTES:
            raise BodyTooLongError("The request is longer than 4 MiB: send less at once.")
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        raise InputError("The request is no JSON: send an object as application/json.") from None
    if not isinstance(given, dict):
        raise InputError("The request is no JSON object: send one as application/json.")
    return given
