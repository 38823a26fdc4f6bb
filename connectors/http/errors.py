"""What went wrong at a provider, in one form for all of them."""

import math
import time
from collections.abc import Awaitable, Collection, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

import httpx

from schema.errors import ConnectorError

ResultT = TypeVar("ResultT")

TOO_LARGE = 413
"""Status of HTTP."""
ABSENT = ("connector_absent",)
HIDDEN = ("connector_absent", "connector_refused")
"""Codes of errors that say that there is no such thing, or none for this account."""


class NothingFoundError(ConnectorError):
    """What some providers answer a search without results with: it is no failure."""


async def find_or_none(
    call: Awaitable[ResultT], codes: Collection[str] = ABSENT, status: int = 0
) -> ResultT | None:
    """What a call finds; None where it fails with a ConnectorError of such a code or status."""
    try:
        return await call
    except ConnectorError as error:
        if error.code not in codes and error.status != status:
            raise
        return None


def to_connector_error(provider: str, key: str, error: Exception) -> ConnectorError:
    """What went wrong between here and a provider. Raise it `from None`: httpx quotes keys.

    Args:
        provider: its name.
        key: the variable that holds its key; "" where there is none.
        error: of httpx, or of a client that stands on it; a ConnectorError stays what it is.
    """
    if isinstance(error, ConnectorError):
        return error
    if isinstance(error, TimeoutError | httpx.TimeoutException):
        message = f"{provider} did not answer in time"
        return ConnectorError(message, code="connector_timeout", retryable=True)
    if isinstance(error, UnicodeEncodeError | httpx.LocalProtocolError):
        return bad_key_error(provider, key)
    if isinstance(error, httpx.HTTPError | httpx.InvalidURL) and not isinstance(
        error, httpx.DecodingError
    ):
        message = f"{provider} could not be reached ({type(error).__name__})"
        return ConnectorError(message, retryable=isinstance(error, httpx.TransportError))
    return bad_response_error(provider)


def http_error(
    provider: str, key: str, status: int, headers: Mapping[str, str] | None = None
) -> ConnectorError:
    """What an error status means.

    Args:
        provider: its name.
        key: the variable that holds its key; "" where there is none.
        status: of HTTP, 400 or above.
        headers: of the answer; `Retry-After` and `X-RateLimit-Reset` are read.
    """
    wait = parse_retry_after(headers or {})
    limited = status == 403 and (headers or {}).get("x-ratelimit-remaining") == "0"
    if status == 429 or limited or (status == 403 and wait is not None):
        asked = f" (it asks to wait {_format_seconds(wait)})" if wait else ""
        return ConnectorError(
            f"{provider}'s rate limit was hit{asked}",
            code="connector_limit",
            retryable=True,
            wait=wait,
        )
    if status == 401 and key:
        return bad_key_error(provider, key)
    if status in (401, 402, 403, 432, 433):  # Tavily's for a plan that is used up are the last
        hint = f": check what {key} may do there" if key else ""
        return ConnectorError(f"{provider} does not allow this{hint}", code="connector_refused")
    if status in (404, 410):
        return ConnectorError(f"{provider} has no such thing", code="connector_absent")
    return ConnectorError(
        f"{provider} answered HTTP {status}",
        retryable=status >= 500 or status == 408,
        wait=wait,
        status=status,
    )


def bad_key_error(provider: str, key: str) -> ConnectorError:
    """The provider does not know the key, or no provider could."""
    return ConnectorError(f"{provider} refused the key: check {key}", code="connector_key")


def bad_response_error(provider: str) -> ConnectorError:
    """An answer that is not what the provider's documentation promises."""
    return ConnectorError(f"{provider}'s answer could not be read")


def too_large_error(provider: str) -> ConnectorError:
    """More bytes than are read of one answer; its status is `TOO_LARGE`."""
    return ConnectorError(f"{provider}'s answer is too large", status=TOO_LARGE)


def _format_seconds(seconds: float) -> str:
    return f"{math.ceil(seconds)} s" if seconds < 120 else f"{math.ceil(seconds / 60)} min"


def parse_retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, by `Retry-After` (seconds or a date), else by `X-RateLimit-Reset`."""
    given = (headers.get("retry-after") or "").strip()
    try:
        if math.isfinite(seconds := float(given)):
            return max(0.0, seconds)
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        pass
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal() and len(reset) < 12:
        return max(0.0, float(reset) - time.time())
    return None
