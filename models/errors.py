"""Provider errors, each in one sentence that says what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from schema.errors import ModelUnavailableError, QuireError

_ADVICE = {
    400: "refused the request: the model may not support it",
    422: "refused the request: its texts may be too long, or the model not support it",
    401: "refused the key: check the API key in the environment",
    402: "wants payment: check the account",
    403: "refuses this key the model: check what the key may use",
    404: "does not know the model: check its name and the base URL",
    413: "refuses texts as too long or too many: raise what its server takes, or have it truncate",
    429: "is over its rate limit: wait, or lower QUIRE_MODEL_CONCURRENCY",
}


_DISCONNECT_ERRORS = ("RemoteProtocolError", "ReadError", "APIError")
"""What clients raise where a stream ends early, or reports an error in the middle."""


@contextmanager
def translate_errors(name: str) -> Iterator[None]:
    """Turn what a provider's client raises into a ModelUnavailableError, its cause at its back.

    An error of Quire's own goes through as it is: it must not become its own cause.

    Args:
        name: the model, as configured.

    Raises:
        ModelUnavailableError: instead of what the client raises.
    """
    try:
        yield
    except QuireError:
        raise
    except Exception as error:
        raise _translate_error(name, error) from error


def _translate_error(name: str, error: Exception) -> ModelUnavailableError:
    status = getattr(error, "status_code", None)
    kind = type(error).__name__
    late = isinstance(error, TimeoutError) or "Timeout" in kind
    broken = not isinstance(status, int) and any(
        name in _DISCONNECT_ERRORS for name in _iterate_error_names(error)
    )
    if status in _ADVICE:
        what = _ADVICE[status]
    elif isinstance(status, int) and status >= 500:
        what = f"fails (HTTP {status}), also after retries: try again later"
    elif late:
        what = "did not answer in time: try again, or raise QUIRE_MODEL_SECONDS"
    elif broken:
        what = "broke off in the middle of its answer: try again"
    elif "Connection" in kind or "Connect" in kind:
        what = "cannot be reached: check the network and the base URL"
    else:
        what = f"failed with {kind}"
    return ModelUnavailableError(f"The model {name} {what}.", retryable=late or broken)


def _iterate_error_names(error: BaseException | None) -> Iterator[str]:
    """The names of an error and of what it came from: clients wrap one another."""
    while error is not None:
        yield type(error).__name__
        error = error.__cause__
