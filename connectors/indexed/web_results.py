"""`web_results`: pages that earlier runs found on the web, for as long as their term lasts."""

from collections.abc import Sequence

from connectors.protocol import PartConnector
from connectors.web_cache import compute_shared_cutoff
from schema.search import Filters, Part


class WebResults(PartConnector):
    """The part `web` of a space. It fetches nothing."""

    name = "web_results"
    description = "pages of the web that earlier runs found, for `QUIRE_WEB_DAYS` days"
    document_description = "as the connector that found it says; excerpts are left out"
    part: Part = "web"

    def filters(self, paths: Sequence[str]) -> Filters:  # noqa: ARG002  (it knows no paths)
        """Pages that were read in full and are not too old."""
        return Filters(in_full=True, fetched_since=compute_shared_cutoff().isoformat())
