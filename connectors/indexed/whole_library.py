"""`library`: all that is already indexed, whichever connector it is from."""

from collections.abc import Sequence

from connectors.protocol import IndexedConnector
from schema.search import Filters


class WholeLibrary(IndexedConnector):
    """The whole search space. It fetches nothing."""

    name = "library"
    description = "all that is in the library, whichever connector brought it"
    document_description = "as its connector says"

    def filters(self, paths: Sequence[str]) -> Filters:  # noqa: ARG002  (it knows no paths)
        """No filter."""
        return Filters()
