"""Connectors by name. Third parties add theirs under the entry point group `quire.connectors`."""

import sys
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from connectors.protocol import Connector, SyncingConnector
from schema.errors import InputError

BUILT_IN = {
    "files": "connectors.files:Files",
    "library": "connectors.whole_library:WholeLibrary",
    "tavily": "connectors.tavily:Tavily",
}
"""One line a connector: its name, and where its class is."""


def names() -> list[str]:
    """Every connector there is, configured or not."""
    return sorted({*BUILT_IN, *(found.name for found in _foreign(tuple(sys.path)))})


def connector(name: str) -> Connector:
    """Make the connector of this name.

    Raises:
        InputError: there is none; names those that there are.
    """
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        made: Connector = getattr(import_module(module), attribute)()
        return made
    for found in _foreign(tuple(sys.path)):
        if found.name == name:
            return _loaded(found)
    raise InputError(f"There is no connector '{name}': use one of {', '.join(names())}.")


@lru_cache(maxsize=4)
def _foreign(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:  # noqa: ARG001  (where they lie)
    """What other packages bring. Looking through all that is installed takes 7 ms."""
    return tuple(entry_points(group="quire.connectors"))


def _loaded(found: EntryPoint) -> Connector:
    try:
        made: Connector = found.load()()
    except Exception as error:
        raise InputError(
            f"The connector '{found.name}' cannot be loaded ({type(error).__name__}: {error}): "
            "repair or uninstall the package that brings it."
        ) from error
    return made


def syncing(name: str) -> SyncingConnector:
    """Make a connector that fills the library.

    Raises:
        InputError: there is none of this name, or it cannot.
    """
    made = connector(name)
    if not isinstance(made, SyncingConnector):
        raise InputError(f"The connector '{name}' does not fill the library: nothing to ingest.")
    return made


def chosen(wanted: list[str] | None, *, paths: bool) -> list[Connector]:
    """The connectors of a run.

    Args:
        wanted: their names; None takes every live connector that is configured and, from the
            library, the files at the run's paths if it has any, else everything.
        paths: whether the run has paths.

    Raises:
        InputError: one does not exist or is not configured.
    """
    if wanted:
        made = [connector(name) for name in dict.fromkeys(wanted)]
        for one in made:
            if lack := one.missing():
                raise InputError(f"The connector '{one.name}' is not configured: {lack}")
        return made
    local = connector("files" if paths else "library")
    live = [one for name in names() if (one := connector(name)).kind == "live"]
    return [local, *(one for one in live if not one.missing())]
