"""The tree that documents stand in: which folders there are, and what each of them holds."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from library.database import Connection, Database
from library.spaces import OWN, Space, find_space, lock_space
from retrieval.abstracts import Child, Contents, folder_abstract, folder_overview

FOLDERS_AT_ONCE = 64
"""Folders that one transaction describes; other writers of the space wait that long."""

CHILDREN = 32
"""Children that speak for a folder; of more, a sample."""

OPENING_CHARACTERS = 600
"""What is read of a document for the overview of its folder."""

_LAST = "\U0010ffff"


@dataclass(frozen=True)
class Entry:
    """A child of a folder. `document` is None for a folder, whose abstract is its `text`."""

    path: str
    title: str
    document: int | None
    text: str = ""


@dataclass(frozen=True)
class Folder:
    """A folder of the tree with some of its children: folders first, each kind by path."""

    path: str
    abstract: str
    overview: str
    documents: int
    folders: int
    children: list[Entry]


def ancestors(path: str) -> list[str]:
    """Folders above a place in the tree, the nearest first: of `a/b/c` they are `a/b` and `a`."""
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(len(parts) - 1, 0, -1)]


def parent(path: str) -> str:
    """The folder that a place stands in; empty for the uppermost."""
    return path.rpartition("/")[0]


async def touched(connection: Connection, space: Space, paths: Iterable[str]) -> None:
    """Mark all folders above some documents stale, and make those that are missing.

    Call it in the transaction that adds, changes or removes the documents, with the space locked.

    Args:
        connection: a session of the space's owner.
        space: the search space.
        paths: where the documents stand; of one that moved, the old place and the new.
    """
    folders = sorted({folder for path in paths for folder in ancestors(path)})
    await connection.execute(
        "INSERT INTO quire.folders (space_id, path, parent, documents, abstract, overview, stale) "
        "SELECT %(space)s, path, parent, 0, '', '', true "
        f"FROM unnest(%(folders)s::text[], %(above)s::text[]) AS above (path, parent) WHERE {OWN} "
        "ON CONFLICT (space_id, path) DO UPDATE SET stale = true WHERE NOT folders.stale",
        {
            **space.named,
            "folders": folders,
            "above": [parent(folder) for folder in folders],
        },
    )


async def refreshed(database: Database, user: str, space_name: str) -> int:
    """Describe anew the folders that are stale, from the leaves of the tree upwards.

    Folders that hold nothing any more are removed. Each transaction describes some folders of one
    depth, deepest first, so that what a folder says of its children is what they say of
    themselves. Folders that go stale meanwhile wait for the next call.

    Returns:
        How many folders were described or removed.
    """
    async with database.session(user) as connection:
        space = await find_space(connection, user, space_name)
        waiting = await _stale(connection, space) if space else 0
    done = 0
    while done < waiting:
        async with database.session(user) as connection:
            count = await _refresh(connection, await lock_space(connection, user, space_name))
        if not count:  # another process was quicker
            break
        done += count
    return done


async def folder(
    connection: Connection, space: Space, path: str, *, offset: int = 0, limit: int = 100
) -> Folder | None:
    """Look into a folder as it was last described; None if there is no such folder.

    Args:
        connection: a session of the space's owner.
        space: the search space.
        path: the folder's; empty for the whole library, which has no abstract.
        offset: children to leave out.
        limit: most children.
    """
    cursor = await connection.execute(
        "SELECT abstract, overview FROM quire.folders "
        f"WHERE space_id = %(space)s AND {OWN} AND path = %(path)s",
        {**space.named, "path": path},
    )
    row = await cursor.fetchone()
    if path and row is None:
        return None
    abstract, overview = row or ("", "")
    given = {**space.named, **_ranges([path]), "offset": offset, "limit": limit}
    rows = await (await connection.execute(_LISTED, given)).fetchall()
    children = [Entry(*row) for row in rows]
    cursor = await connection.execute(_COUNTED, given)
    [(documents, folders)] = await cursor.fetchall()
    return Folder(path, abstract, overview, documents, folders, children)


# A folder as the range of paths below it, which the index of the paths serves also under
# row-level security; and the documents that stand in it and not further down.
_ABOVE = (
    "unnest(%(folders)s::text[], %(first)s::text[], %(past)s::text[]) AS above (path, first, past)"
)
_WITHIN = """d.space_id = %(space)s AND d.path ~>=~ above.first AND d.path ~<~ above.past
    AND strpos(substr(d.path, length(above.first) + 1), '/') = 0"""


def _ranges(folders: Sequence[str]) -> dict[str, Sequence[str]]:
    """Parameters for `_ABOVE`; "0" is the character after "/"."""
    return {
        "folders": folders,
        "first": [f"{folder}/" if folder else "" for folder in folders],
        "past": [f"{folder}0" if folder else _LAST for folder in folders],
    }


# A sample must not change with every child that comes or goes: ordered by a hash of the path, all
# but one of it stays. The texts are read of the sample alone.
_SAMPLED = f"""
SELECT above.path, child.* FROM {_ABOVE}, LATERAL (
    (SELECT count(*) OVER () AS total, true AS is_folder, f.path, '' AS title, f.abstract AS text,
        '' AS language, 0 AS id
     FROM quire.folders f WHERE f.space_id = %(space)s AND f.parent = above.path
     ORDER BY md5(f.path) LIMIT %(most)s)
    UNION ALL
    (SELECT chosen.total, false, d.path, d.title, left(d.text, %(opening)s), d.language, d.id
     FROM (SELECT d.id, count(*) OVER () AS total FROM quire.documents d WHERE {_WITHIN}
           ORDER BY md5(d.path), d.id LIMIT %(most)s) AS chosen
     JOIN quire.documents d ON d.id = chosen.id)
) AS child WHERE {OWN} ORDER BY above.path, child.is_folder DESC, md5(child.path), child.id
"""

_LISTED = f"""
SELECT path, title, document, abstract FROM (
    SELECT f.path, '' AS title, NULL::bigint AS document, f.abstract FROM {_ABOVE}
    JOIN quire.folders f ON f.space_id = %(space)s AND f.parent = above.path
    UNION ALL
    SELECT d.path, d.title, d.id, '' FROM {_ABOVE} JOIN quire.documents d ON {_WITHIN}
) AS child WHERE {OWN}
ORDER BY document IS NOT NULL, path COLLATE "C", document LIMIT %(limit)s OFFSET %(offset)s
"""

_COUNTED = f"""
SELECT (SELECT count(*) FROM {_ABOVE} JOIN quire.documents d ON {_WITHIN} WHERE {OWN}),
    (SELECT count(*) FROM quire.folders f
     WHERE f.space_id = %(space)s AND {OWN} AND f.parent = ANY(%(folders)s))
"""


async def _stale(connection: Connection, space: Space) -> int:
    cursor = await connection.execute(
        f"SELECT count(*) FROM quire.folders WHERE space_id = %(space)s AND {OWN} AND stale",
        space.named,
    )
    [count] = await cursor.fetchone() or (0,)
    return int(count)


async def _refresh(connection: Connection, space: Space) -> int:
    """Describe some of the deepest stale folders; returns how many these were."""
    cursor = await connection.execute(
        "SELECT path FROM (SELECT path, depth, max(depth) OVER () AS deepest FROM "
        "(SELECT path, length(path) - length(replace(path, '/', '')) AS depth "
        f"FROM quire.folders WHERE space_id = %(space)s AND {OWN} AND stale) AS stale) AS placed "
        "WHERE depth = deepest ORDER BY path LIMIT %(most)s",
        {**space.named, "most": FOLDERS_AT_ONCE},
    )
    paths = [row[0] for row in await cursor.fetchall()]
    contents = await _contents(connection, space, paths)
    empty = [path for path in paths if not contents[path].children]
    held = [path for path in paths if contents[path].children]
    described = await asyncio.to_thread(
        lambda: [
            (folder_abstract(name, contents[path]), folder_overview(name, contents[path]))
            for path in held
            for name in [path.rpartition("/")[2]]
        ]
    )
    await connection.execute(
        f"DELETE FROM quire.folders WHERE space_id = %(space)s AND {OWN} AND path = ANY(%(empty)s)",
        {**space.named, "empty": empty},
    )
    await connection.execute(
        "UPDATE quire.folders f SET documents = n.documents, abstract = n.abstract, "
        "overview = n.overview, stale = false FROM "
        "unnest(%(held)s::text[], %(counts)s::int[], %(abstracts)s::text[], %(overviews)s::text[]) "
        "AS n (path, documents, abstract, overview) "
        f"WHERE f.space_id = %(space)s AND {OWN} AND f.path = n.path",
        {
            **space.named,
            "held": held,
            "counts": [contents[path].documents for path in held],
            "abstracts": [abstract for abstract, _ in described],
            "overviews": [overview for _, overview in described],
        },
    )
    return len(paths)


async def _contents(
    connection: Connection, space: Space, paths: Sequence[str]
) -> dict[str, Contents]:
    """What some folders hold, each with at most 32 children."""
    given = {**space.named, "most": CHILDREN, "opening": OPENING_CHARACTERS, **_ranges(paths)}
    cursor = await connection.execute(_SAMPLED, given)
    counts = {path: {True: 0, False: 0} for path in paths}
    children: dict[str, list[Child]] = {path: [] for path in paths}
    for above, total, is_folder, path, title, text, language, _ in await cursor.fetchall():
        counts[above][is_folder] = total
        if len(children[above]) < CHILDREN:
            name = path.rpartition("/")[2]
            children[above].append(Child(name, text, title, language, is_folder=is_folder))
    return {
        path: Contents(counts[path][False], counts[path][True], children[path]) for path in paths
    }
