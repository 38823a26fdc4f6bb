"""Posting JSON to a model's server, again where it was busy or out of reach for a moment."""

from asyncio import Semaphore
from typing import Any

import httpx
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    wait_random_exponential,
)

MAX_WAIT = 30.0
"""Seconds that a server may ask to wait; asked for more, the call fails at once."""

_backoff = wait_random_exponential(multiplier=0.3, max=8)


class HttpStatusError(Exception):
    """A server answered with an error status.

    Attributes:
        status_code: of the answer.
        text: the beginning of what it said; it may quote what was sent, so it is only looked at.
        wait: seconds that it asks to wait, or None.
    """

    def __init__(self, answer: httpx.Response) -> None:
        status, wait = answer.status_code, answer.headers.get("retry-after", "")
        super().__init__(f"HTTP {status}")
        self.status_code = status
        self.text = answer.text[:2_000]
        self.wait = float(wait) if wait.isdecimal() else None


async def post_json(
    client: httpx.AsyncClient,
    path: str,
    body: dict[str, Any],
    *,
    tries: int,
    turn: Semaphore,
) -> bytes:
    """What a server answers.

    Args:
        client: has the address, the key and the timeout.
        path: of the method, from the client's address on; "" is that address itself.
        body: what is sent.
        tries: at most; after 429, 5xx or a broken connection it is asked again.
        turn: held while a request is under way.

    Raises:
        TimeoutError, ConnectionError: it does not answer; the key stands in neither.
        HttpStatusError: it answers with an error.
    """
    asked = AsyncRetrying(
        stop=stop_after_attempt(tries),
        wait=_compute_wait,
        retry=retry_if_exception(_is_retryable),
        reraise=True,
    )
    return await asked(_post, client, path, body, turn)


async def _post(
    client: httpx.AsyncClient, path: str, body: dict[str, Any], turn: Semaphore
) -> bytes:
    try:
        async with turn:
            answer = await client.post(path, json=body)
    except httpx.TimeoutException:
        raise TimeoutError from None
    except httpx.TransportError as error:  # its request holds the key
        raise ConnectionError(type(error).__name__) from None
    if not answer.is_success:
        raise HttpStatusError(answer)
    return answer.content


def _is_retryable(error: BaseException) -> bool:
    if isinstance(error, HttpStatusError):
        busy = error.status_code == 429 or error.status_code >= 500
        return busy and (error.wait or 0) <= MAX_WAIT
    return isinstance(error, ConnectionError)


def _compute_wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    wait = error.wait if isinstance(error, HttpStatusError) else None
    return _backoff(state) if wait is None else wait
