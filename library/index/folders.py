"""The tree that documents stand in: which folders there are, and what each of them holds."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from library.database.connections import Connection
from library.database.spaces import OWNER_CHECK, Space, find_space, lock_space
from library.document_texts import load_spans
from library.session import Session
from retrieval.passages.folder_abstracts import (
    Child,
    Contents,
    write_folder_abstract,
    write_folder_overview,
)

FOLDERS_PER_TRANSACTION = 64
"""Folders that one transaction describes; other writers of the space wait that long."""

SAMPLED_CHILDREN = 32
"""Children that speak for a folder; of more, a sample."""

OPENING_CHARACTERS = 600
"""What is read of a document for the overview of its folder."""

_LAST_CHARACTER = "\U0010ffff"


@dataclass(frozen=True)
class FolderEntry:
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
    children: list[FolderEntry]


def list_ancestors(path: str) -> list[str]:
    """Folders above a place in the tree, the nearest first: of `a/b/c` they are `a/b` and `a`."""
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(len(parts) - 1, 0, -1)]


def get_parent(path: str) -> str:
    """The folder that a place stands in; empty for the uppermost."""
    return path.rpartition("/")[0]


async def mark_stale(connection: Connection, space: Space, paths: Iterable[str]) -> None:
    """Mark all folders above some documents stale, and make those that are missing.

    Call it in the transaction that adds, changes or removes the documents, with the space locked.

    Args:
        connection: a session of the space's owner.
        space: the search space.
        paths: where the documents stand; of one that moved, the old place and the new.
    """
    folders = sorted({folder for path in paths for folder in list_ancestors(path)})
    await connection.execute(
        "INSERT INTO quire.folders (space_id, path, parent, documents, abstract, overview, stale) "
        "SELECT %(space)s, path, parent, 0, '', '', true "
        "FROM unnest(%(folders)s::text[], %(above)s::text[]) AS above (path, parent) "
        f"WHERE {OWNER_CHECK} "
        "ON CONFLICT (space_id, path) DO UPDATE SET stale = true WHERE NOT folders.stale",
        {
            **space.sql_parameters,
            "folders": folders,
            "above": [get_parent(folder) for folder in folders],
        },
    )


async def refresh_folders(session: Session) -> int:
    """Describe anew the folders that are stale, from the leaves of the tree upwards.

    Folders that hold nothing any more are removed. Each transaction describes some folders of one
    depth, deepest first, so that what a folder says of its children is what they say of
    themselves. Folders that go stale meanwhile wait for the next call. What not all members of a
    group's space may read is told by none.

    Returns:
        How many folders were described or removed.
    """
    session = Session(session.database, session.user, session.space)
    [(waiting,)] = await session.fetch(
        "SELECT count(*) FROM quire.folders f JOIN quire.spaces s ON s.id = f.space_id "
        "WHERE s.user_id = %(user)s AND s.name = %(space_name)s AND f.stale"
    )
    done = 0
    while done < waiting:
        async with session.connect() as connection:
            space = await lock_space(connection, session.user, session.space)
            count = await _refresh_deepest(connection, space)
        if not count:  # another process was quicker
            break
        done += count
    return done


async def load_folder(
    session: Session, path: str = "", *, offset: int = 0, limit: int = 100
) -> Folder | None:
    """Look into a folder as it was last described; None if there is no such folder.

    Args:
        session: of the space.
        path: the folder's; empty for the whole library, which has no abstract.
        offset: children to leave out.
        limit: most children.
    """
    async with session.connect() as connection:
        if (space := await find_space(connection, session.user, session.space)) is None:
            return None
        given = {**space.sql_parameters, **_build_ranges([path]), "offset": offset, "limit": limit}
        cursor = await connection.execute(
            "SELECT abstract, overview FROM quire.folders "
            f"WHERE space_id = %(space)s AND {OWNER_CHECK} AND path = ANY(%(folders)s)",
            given,
        )
        row = await cursor.fetchone()
        if path and row is None:
            return None
        rows = await (await connection.execute(_LIST_QUERY, given)).fetchall()
        [(documents, folders)] = await (await connection.execute(_COUNT_QUERY, given)).fetchall()
    abstract, overview = row or ("", "")
    children = [FolderEntry(*row) for row in rows]
    return Folder(path, abstract, overview, documents, folders, children)


# A folder as the range of paths below it, which the index of the paths serves also under
# row-level security; and the documents that stand in it and not further down.
_FOLDER_RANGES = (
    "unnest(%(folders)s::text[], %(first)s::text[], %(past)s::text[]) AS above (path, first, past)"
)
_IN_FOLDER = """d.space_id = %(space)s AND d.path ~>=~ above.first AND d.path ~<~ above.past
    AND strpos(substr(d.path, length(above.first) + 1), '/') = 0"""


def _build_ranges(folders: Sequence[str]) -> dict[str, Sequence[str]]:
    """Parameters for `_FOLDER_RANGES`; "0" is the character after "/"."""
    return {
        "folders": folders,
        "first": [f"{folder}/" if folder else "" for folder in folders],
        "past": [f"{folder}0" if folder else _LAST_CHARACTER for folder in folders],
    }


# A sample must not change with every child that comes or goes: ordered by a hash of the path, all
# but one of it stays.
_SAMPLE_QUERY = f"""
SELECT above.path, child.* FROM {_FOLDER_RANGES}, LATERAL (
    (SELECT count(*) OVER () AS total, true AS is_folder, f.path, '' AS title, f.abstract AS text,
        '' AS language, 0 AS id
     FROM quire.folders f WHERE f.space_id = %(space)s AND f.parent = above.path
     ORDER BY md5(f.path) LIMIT %(most)s)
    UNION ALL
    (SELECT chosen.total, false, d.path, d.title, '', d.language, d.id
     FROM (SELECT d.id, count(*) OVER () AS total FROM quire.documents d WHERE {_IN_FOLDER}
           ORDER BY md5(d.path), d.id LIMIT %(most)s) AS chosen
     JOIN quire.documents d ON d.id = chosen.id)
) AS child WHERE {OWNER_CHECK} ORDER BY above.path, child.is_folder DESC, md5(child.path), child.id
"""

_LIST_QUERY = f"""
SELECT path, title, document, abstract FROM (
    SELECT f.path, '' AS title, NULL::bigint AS document, f.abstract FROM {_FOLDER_RANGES}
    JOIN quire.folders f ON f.space_id = %(space)s AND f.parent = above.path
    UNION ALL
    SELECT d.path, d.title, d.id, '' FROM {_FOLDER_RANGES} JOIN quire.documents d ON {_IN_FOLDER}
) AS child WHERE {OWNER_CHECK}
ORDER BY document IS NOT NULL, path COLLATE "C", document LIMIT %(limit)s OFFSET %(offset)s
"""

_COUNT_QUERY = f"""
SELECT (SELECT count(*) FROM {_FOLDER_RANGES} JOIN quire.documents d ON {_IN_FOLDER} WHERE
{OWNER_CHECK}),
    (SELECT count(*) FROM quire.folders f
     WHERE f.space_id = %(space)s AND {OWNER_CHECK} AND f.parent = ANY(%(folders)s))
"""


async def _refresh_deepest(connection: Connection, space: Space) -> int:
    """Describe some of the deepest stale folders; returns how many these were."""
    cursor = await connection.execute(
        "SELECT path FROM (SELECT path, depth, max(depth) OVER () AS deepest FROM "
        "(SELECT path, length(path) - length(replace(path, '/', '')) AS depth "
        f"FROM quire.folders WHERE space_id = %(space)s AND {OWNER_CHECK} AND stale) AS stale) "
        "AS placed WHERE depth = deepest ORDER BY path LIMIT %(most)s",
        {**space.sql_parameters, "most": FOLDERS_PER_TRANSACTION},
    )
    paths = [row[0] for row in await cursor.fetchall()]
    contents = await _load_contents(connection, space, paths)
    empty = [path for path in paths if not contents[path].children]
    held = [path for path in paths if contents[path].children]
    described = await asyncio.to_thread(
        lambda: [
            (
                write_folder_abstract(name, contents[path]),
                write_folder_overview(name, contents[path]),
            )
            for path in held
            for name in [path.rpartition("/")[2]]
        ]
    )
    await connection.execute(
        "DELETE FROM quire.folders "
        f"WHERE space_id = %(space)s AND {OWNER_CHECK} AND path = ANY(%(empty)s)",
        {**space.sql_parameters, "empty": empty},
    )
    await connection.execute(
        "UPDATE quire.folders f SET documents = n.documents, abstract = n.abstract, "
        "overview = n.overview, stale = false FROM "
        "unnest(%(held)s::text[], %(counts)s::int[], %(abstracts)s::text[], %(overviews)s::text[]) "
        "AS n (path, documents, abstract, overview) "
        f"WHERE f.space_id = %(space)s AND {OWNER_CHECK} AND f.path = n.path",
        {
            **space.sql_parameters,
            "held": held,
            "counts": [contents[path].documents for path in held],
            "abstracts": [abstract for abstract, _ in described],
            "overviews": [overview for _, overview in described],
        },
    )
    return len(paths)


async def _load_contents(
    connection: Connection, space: Space, paths: Sequence[str]
) -> dict[str, Contents]:
    """What some folders hold, each with at most 32 children."""
    given = {
        **space.sql_parameters,
        "most": SAMPLED_CHILDREN,
        **_build_ranges(paths),
    }
    cursor = await connection.execute(_SAMPLE_QUERY, given)
    counts = {path: {True: 0, False: 0} for path in paths}
    children: dict[str, list[Child]] = {path: [] for path in paths}
    found = await cursor.fetchall()
    documents = [row[-1] for row in found if not row[2]]
    spans = [(document, 0, OPENING_CHARACTERS) for document in documents]
    openings = iter(await load_spans(connection, space.user, spans))
    for above, total, is_folder, path, title, abstract, language, _ in found:
        text = abstract if is_folder else next(openings)
        counts[above][is_folder] = total
        if len(children[above]) < SAMPLED_CHILDREN:
            name = path.rpartition("/")[2]
            children[above].append(Child(name, text, title, language, is_folder=is_folder))
    return {
        path: Contents(counts[path][False], counts[path][True], children[path]) for path in paths
    }
