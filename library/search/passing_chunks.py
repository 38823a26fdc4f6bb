"""Which chunks pass the filters of recent searches, for as long as their spaces stay as they are.

To list them is to look at every document of a space, and an application mostly asks with the same
few filters. Rows themselves are read anew by each search, with what it may see.
"""

from collections import OrderedDict
from weakref import WeakKeyDictionary

from library.database.connections import Connection, Database
from library.database.spaces import Space
from library.index.filters import list_passing
from retrieval.search.inverted_index import Ids
from schema.search import Filters

MOST_KEPT = 500_000
"""Ids that are kept of one database: 4 MB."""

_Key = tuple[int, str, str]

_kept: WeakKeyDictionary[Database, OrderedDict[_Key, Ids]] = WeakKeyDictionary()


def recall_passing(database: Database, space: Space, filters: Filters) -> Ids | None:
    """The chunks of a space that pass the filters, ascending, where that is known.

    It never is where readers see different ones, nor of filters that name another space.
    """
    lists = _kept.get(database)
    key = _make_key(space, filters)
    if lists is None or key not in lists:
        return None
    lists.move_to_end(key)
    return lists[key]


async def find_passing(
    database: Database, connection: Connection, space: Space, filters: Filters
) -> Ids:
    """List them, and keep the list.

    Args:
        database: of the connection.
        connection: a session of the space's owner.
        space: as it was read in this session.
        filters: any.
    """
    found = await list_passing(connection, space, filters)
    if not (filters.not_in or space.restricted) and len(found) <= MOST_KEPT:
        lists = _kept.setdefault(database, OrderedDict())
        lists[_make_key(space, filters)] = found
        while sum(map(len, lists.values())) > MOST_KEPT:
            lists.popitem(last=False)
    return found


def _make_key(space: Space, filters: Filters) -> _Key:
    return space.id, space.revision, repr(filters)
