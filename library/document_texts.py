"""The texts of documents, of which each character is stored once.

The rows of a document's chunks hold all that is searched; the document's own row holds the rest,
which is mostly the white space between them.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from schema.documents import Chunk

if TYPE_CHECKING:  # 0.2 s, which nobody pays who only imports a graph
    from library.database.connections import Connection

DocumentSpan = tuple[int, int, int]
"""Document, start and end in characters of its text."""

WANTED_SPANS = (
    "unnest(%(documents)s::bigint[], %(firsts)s::int[], %(lasts)s::int[]) WITH ORDINALITY "
    "AS w (id, first, last, n)"
)

LONGEST_TEXT = 2**31 - 1
"""An end that no text reaches: offsets are 32 bits wide."""


def cut_rest(text: str, chunks: Iterable[Chunk]) -> str:
    """What of a text stands in none of its chunks, which are in order and do not overlap."""
    rest, end = [], 0
    for chunk in chunks:
        rest.append(text[end : chunk.start])
        end = chunk.end
    return "".join([*rest, text[end:]])


class StoredText:
    """A document's text, of which spans can be read."""

    def __init__(self, rest: str, chunks: Sequence[tuple[int, int, str]]) -> None:
        """Args: rest: see `cut_rest`. chunks: start, end and text of each, in order."""
        self._rest = rest
        self._starts = [start for start, _, _ in chunks]
        self._ends = [end for _, end, _ in chunks]
        self._texts = [text for _, _, text in chunks]
        lengths = (end - start for start, end, _ in chunks)
        self._before = list(accumulate(lengths, initial=0))  # of all chunks before each

    def read(self, first: int, last: int) -> str:
        """The characters from `first` to before `last`, as far as there are any."""
        found, place, at = [], max(0, first), bisect_right(self._ends, max(0, first))
        while place < last:
            start = self._starts[at] if at < len(self._starts) else LONGEST_TEXT
            if place < start:
                shift = self._before[at]
                found.append(self._rest[place - shift : min(start, last) - shift])
                place = start
            else:
                found.append(self._texts[at][place - start : last - start])
                place, at = self._ends[at], at + 1
        return "".join(found)


async def load_spans(
    connection: "Connection", user: str, wanted: Sequence[DocumentSpan]
) -> list[str]:
    """Texts of spans of documents, in order; "" of one that is not there.

    Args:
        connection: a session of the user.
        user: whose documents they are.
        wanted: the spans. Of chunks that none touches only the place is loaded.
    """
    cursor = await connection.execute(  # one statement: of one version of each document
        f"WITH ends AS (SELECT w.id, max(w.last) AS last FROM {WANTED_SPANS} "
        "JOIN quire.documents d ON d.id = w.id "
        "JOIN quire.spaces s ON s.id = d.space_id AND s.user_id = %(user)s GROUP BY w.id) "
        "SELECT d.id, -1 AS start, 0, d.rest FROM ends JOIN quire.documents d USING (id) "
        "UNION ALL SELECT c.document_id, c.start_offset, c.end_offset, CASE WHEN EXISTS "
        f"(SELECT FROM {WANTED_SPANS} WHERE w.id = c.document_id AND c.start_offset < w.last "
        "AND c.end_offset > w.first) THEN c.text ELSE '' END FROM ends "
        "JOIN quire.chunks c ON c.document_id = ends.id AND c.start_offset < ends.last "
        "ORDER BY start",
        {"user": user, **split_spans(wanted)},
    )
    rests: dict[int, str] = {}
    chunks: dict[int, list[tuple[int, int, str]]] = {}
    for document, start, end, text in await cursor.fetchall():
        if start < 0:
            rests[document] = text
        else:
            chunks.setdefault(document, []).append((start, end, text))
    texts = {
        document: StoredText(rest, chunks.get(document, [])) for document, rest in rests.items()
    }
    return [
        texts[document].read(first, last) if document in texts else ""
        for document, first, last in wanted
    ]


def split_spans(wanted: Sequence[DocumentSpan]) -> dict[str, list[int]]:
    """The parameters of `WANTED_SPANS`."""
    names = ("documents", "firsts", "lasts")
    return {name: [one[place] for one in wanted] for place, name in enumerate(names)}
