"""Resolvers by id. Third parties add theirs under the entry point group `quire.resolvers`."""

import asyncio

from connectors.plugins import Plugins
from connectors.resolvers.protocol import Resolution, Resolver
from library.library import Library
from schema.errors import QuireError, ResolverError
from schema.settings import get_settings

BUILT_IN = {
    "library_uri": "connectors.resolvers.library_uri:LibraryUri",
    "url_reachable": "connectors.resolvers.url_reachable:UrlReachable",
    "x_handle": "connectors.resolvers.x_handle:XHandle",
}
"""One line a resolver: its id, and where its class is."""

_plugins = Plugins("resolver", BUILT_IN)


def make_resolver(wanted: str) -> Resolver:
    """Make the resolver of this id.

    Raises:
        InputError: there is none; names those that there are.
    """
    made: Resolver = _plugins.make(wanted)
    return made


async def resolve(wanted: str, value: str, library: Library | None = None) -> Resolution:
    """Have one resolver look a value up, within QUIRE_CONNECTOR_SECONDS.

    Raises:
        InputError: there is no such resolver.
        ResolverError: it is unavailable, knows nothing of the value, or failed.
    """
    made = make_resolver(wanted)
    seconds = get_settings().connector_seconds
    try:
        async with asyncio.timeout(seconds):
            reason = await made.explain_unavailable()
            if not reason:
                return await made.resolve(value, library)
    except ResolverError:
        raise
    except TimeoutError as error:
        message = f"The resolver '{wanted}' did not answer within {seconds:g} s."
        raise ResolverError("timeout", message) from error
    except Exception as error:  # one that breaks its promise stops no report
        cause = str(error).rstrip(".") if isinstance(error, QuireError) else type(error).__name__
        raise ResolverError("upstream", f"The resolver '{wanted}' failed ({cause}).") from error
    raise ResolverError("unavailable", f"The resolver '{wanted}' is unavailable: {reason}")
