"""The public face of Quire, for notebooks, programs and plugins.

`report`, `estimate`, `ask`, `revise`, `ingest` and `search` make a `Call`: write
`await quire.report("...")` in a notebook or in async code, `quire.report("...").result()` in a
script.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from connectors.http.client import Api as Api
    from connectors.http.client import base_url as base_url
    from connectors.protocol import Limits as Limits
    from connectors.protocol import LiveConnector as LiveConnector
    from connectors.protocol import SyncingConnector as SyncingConnector
    from connectors.protocol import SyncState as SyncState
    from library.database.connections import close_databases as close_databases
    from quire.calls import Call as Call
    from quire.calls import ask as ask
    from quire.calls import estimate as estimate
    from quire.calls import ingest as ingest
    from quire.calls import report as report
    from quire.calls import revise as revise
    from quire.calls import search as search
    from quire.exporting import export as export
    from schema.context import Context as Context
    from schema.documents import Change as Change
    from schema.documents import Checkpoint as Checkpoint
    from schema.documents import Document as Document
    from schema.documents import Gone as Gone
    from schema.documents import Skipped as Skipped
    from schema.documents import Unchanged as Unchanged
    from schema.errors import QuireError as QuireError
    from schema.search import SearchOptions as SearchOptions
    from schema.settings import read_variable as read_variable

_NAMES = {
    "connectors.http.client": "Api base_url",
    "connectors.protocol": "Limits LiveConnector SyncState SyncingConnector",
    "library.database.connections": "close_databases",
    "quire.calls": "Call ask estimate ingest report revise search",
    "quire.exporting": "export",
    "schema.context": "Context",
    "schema.documents": "Change Checkpoint Document Gone Skipped Unchanged",
    "schema.errors": "QuireError",
    "schema.search": "SearchOptions",
    "schema.settings": "read_variable",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import a name on its first use: `import quire` alone takes no time."""
    if name not in _MODULES:
        raise AttributeError(f"module 'quire' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted(_MODULES)
