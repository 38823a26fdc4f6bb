"""Errors that a reader of Quire sees: one sentence that says what is wrong and what to do.

They derive from RuntimeError because a LangGraph server passes the text of built-in error
types on to its client and masks every other.
"""

from collections.abc import Sequence
from typing import Literal

from schema.report import ModelCall


class QuireError(RuntimeError):
    """Something the user can mend; the text is the whole message."""


class InputError(QuireError):
    """The question, a path, a mode or a setting cannot be used as given."""


class SettingError(InputError):
    """A setting of a run cannot be used; `fault` says why, as a sentence that lacks its subject."""

    def __init__(self, field: str, fault: str) -> None:
        super().__init__(f"The setting {field} {fault}")
        self.field = field
        self.fault = fault


class ModelUnavailableError(QuireError):
    """The model gave no answer: it cannot be reached, refuses the key, or does not exist.

    `retryable` says that a retry may help: the answer came too late, or broke off.
    """

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


class ModelOutputError(QuireError):
    """The model answered, but not in the form asked for, also after one repair round.

    `calls` are those that it took: they are paid for all the same.
    """

    def __init__(self, message: str, calls: Sequence[ModelCall] = ()) -> None:
        super().__init__(message)
        self.calls = tuple(calls)


def get_error_calls(error: BaseException) -> list[ModelCall]:
    """The calls that an error took."""
    return list(error.calls) if isinstance(error, ModelOutputError) else []


class ConnectorError(QuireError):
    """A source could not be asked.

    `code` names the kind of failure for `degraded[]`; `retryable` says that a retry may help, and
    `wait` after how many seconds, where the source said so. `status` is that of HTTP where no other
    word says what it means.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "connector_failed",
        retryable: bool = False,
        wait: float | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable
        self.wait = wait
        self.status = status


class ResolverError(QuireError):
    """A fact about a reference could not be looked up; `code` names the kind of failure."""

    def __init__(
        self,
        code: Literal["not_found", "unavailable", "timeout", "rate_limited", "refused", "upstream"],
        message: str,
    ) -> None:
        super().__init__(message)
        self.code = code


class LibraryError(QuireError):
    """The library's database cannot be used."""


class ReportError(QuireError):
    """A run that ends without a report although there were sources."""
