"""`web_results`: pages that earlier runs found on the web, for as long as their term lasts."""

from collections.abc import Sequence
from typing import Literal

from connectors.found import term
from connectors.protocol import Limits
from schema.search import Filters, Part


class WebResults:
    """The part `web` of a space. It fetches nothing."""

    name = "web_results"
    kind: Literal["indexed"] = "indexed"
    reads = "pages of the web that earlier runs found, for `QUIRE_WEB_DAYS` days"
    document = "as the connector that found it says; excerpts are left out"
    needs = ()
    package = ""
    languages = ()
    limits = Limits()
    part: Part = "web"

    def filters(self, paths: Sequence[str]) -> Filters:  # noqa: ARG002  (it knows no paths)
        """Pages that were read in full and are not too old."""
        return Filters(in_full=True, fetched_since=term().isoformat())
