"""Trying again: only what may pass, as often as a source allows, when it says."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential

from schema.errors import ConnectorError

ResultT = TypeVar("ResultT")

LONGEST_WAIT = 90.0
"""Seconds that a source may ask a sync to wait; asked for more, the sync ends and says so."""

_backoff = wait_random_exponential(multiplier=0.3, max=8)


async def call_with_retries(
    call: Callable[[int], Awaitable[ResultT]], attempts: int, longest: float = LONGEST_WAIT
) -> ResultT:
    """The result of a call, or its last error.

    Args:
        call: given the number of the try, from 1.
        attempts: tries, the first among them.
        longest: seconds; who asks for a longer wait is not asked again.

    Raises:
        ConnectorError: the last try's, or one that no retry can help.
    """

    def hopeless(state: RetryCallState) -> bool:
        return state.attempt_number >= attempts or (_get_wait(state) or 0) > longest

    def pause(state: RetryCallState) -> float:
        wait = _get_wait(state)
        return _backoff(state) if wait is None else wait

    async for attempt in AsyncRetrying(
        stop=hopeless,
        wait=pause,
        retry=retry_if_exception(lambda e: isinstance(e, ConnectorError) and e.retryable),
        reraise=True,
    ):
        with attempt:
            return await call(attempt.retry_state.attempt_number)
    raise AssertionError("unreachable: the last try returns or raises")


def _get_wait(state: RetryCallState) -> float | None:
    error = state.outcome.exception() if state.outcome else None
    return error.wait if isinstance(error, ConnectorError) else None
