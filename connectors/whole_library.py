"""`library`: all that is already indexed, whichever connector brought it."""

from collections.abc import Sequence
from typing import Literal

from schema.search import Filters


class WholeLibrary:
    """The whole search space. It fetches nothing."""

    name = "library"
    kind: Literal["indexed"] = "indexed"

    def missing(self) -> str:
        """Nothing: the library is always there."""
        return ""

    def filters(self, paths: Sequence[str]) -> Filters:  # noqa: ARG002  (it knows no paths)
        """No filter."""
        return Filters()
