"""`library`: all that is already indexed, whichever connector brought it."""

from collections.abc import Sequence
from typing import Literal

from connectors.protocol import Limits
from schema.search import Filters


class WholeLibrary:
    """The whole search space. It fetches nothing."""

    name = "library"
    kind: Literal["indexed"] = "indexed"
    reads = "all that is in the library, whichever connector brought it"
    document = "as its connector says"
    needs = ()
    package = ""
    languages = ()
    limits = Limits()

    def filters(self, paths: Sequence[str]) -> Filters:  # noqa: ARG002  (it knows no paths)
        """No filter."""
        return Filters()
