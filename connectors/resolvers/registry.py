"""Resolvers by id. Third parties add theirs under the entry point group `quire.resolvers`."""

import asyncio
import sys
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from connectors.resolvers.protocol import Resolution, Resolver
from library.library import Library
from schema.errors import InputError, QuireError, ResolverError
from schema.settings import settings

BUILT_IN = {
    "library_uri": "connectors.resolvers.library_uri:LibraryUri",
    "url_reachable": "connectors.resolvers.url_reachable:UrlReachable",
    "x_handle": "connectors.resolvers.x_handle:XHandle",
}
"""One line a resolver: its id, and where its class is."""


def ids() -> list[str]:
    """Every resolver there is, available or not."""
    return sorted({*BUILT_IN, *(found.name for found in _foreign(tuple(sys.path)))})


def resolver(wanted: str) -> Resolver:
    """Make the resolver of this id.

    Raises:
        InputError: there is none; names those that there are.
    """
    if wanted in BUILT_IN:
        module, _, attribute = BUILT_IN[wanted].partition(":")
        made: Resolver = getattr(import_module(module), attribute)()
        return made
    for found in _foreign(tuple(sys.path)):
        if found.name == wanted:
            return _loaded(found)
    raise InputError(f"There is no resolver '{wanted}': use one of {', '.join(ids())}.")


async def resolve(wanted: str, value: str, library: Library | None = None) -> Resolution:
    """Have one resolver look a value up, within QUIRE_CONNECTOR_SECONDS.

    Raises:
        InputError: there is no such resolver.
        ResolverError: it is unavailable, knows nothing of the value, or failed.
    """
    made = resolver(wanted)
    seconds = settings().connector_seconds
    try:
        async with asyncio.timeout(seconds):
            reason = await made.unavailable()
            if not reason:
                return await made.resolve(value, library)
    except ResolverError:
        raise
    except TimeoutError as error:
        message = f"The resolver '{wanted}' did not answer within {seconds:g} s."
        raise ResolverError("timeout", message) from error
    except Exception as error:  # one that breaks its promise stops no report
        said = str(error) if isinstance(error, QuireError) else type(error).__name__
        raise ResolverError("upstream", f"The resolver '{wanted}' failed ({said}).") from error
    raise ResolverError("unavailable", f"The resolver '{wanted}' is unavailable: {reason}")


@lru_cache(maxsize=4)
def _foreign(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:  # noqa: ARG001  (where they lie)
    """What other packages bring. Looking through all that is installed takes 7 ms."""
    return tuple(entry_points(group="quire.resolvers"))


def _loaded(found: EntryPoint) -> Resolver:
    try:
        made: Resolver = found.load()()
    except Exception as error:
        raise InputError(
            f"The resolver '{found.name}' cannot be loaded ({type(error).__name__}: {error}): "
            "repair or uninstall the package that brings it."
        ) from error
    return made
