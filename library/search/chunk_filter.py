"""What a search is kept to, as its retrievers ask for it."""

from library.database.connections import Connection, Database
from library.database.spaces import Space
from library.index.filters import filter_chunks
from library.search.passing_chunks import find_passing, recall_passing
from retrieval.search.bm25_scores import BM25Scores
from retrieval.search.inverted_index import Ids
from schema.search import Filters

FILTER_FACTOR = 2
"""Times the depth: the beginning of a ranking that is put through the filters first."""

MOST_FILTERED = 16
"""Times the depth: the longest beginning; where more of it is wanted, all chunks that pass are."""

MARGIN = 1.5
"""Times the length that a beginning needs if as many of it pass as of the first one."""


class ChunkFilter:
    """The filters of a search, and in a restricted space what its reader may read.

    Attributes:
        conditions: the filters.
        passing: every chunk that passes, ascending; None until so few pass that they were read,
            by this search or one before it.
    """

    def __init__(self, database: Database, space: Space, conditions: Filters) -> None:
        self._database = database
        self._space = space
        self.conditions = conditions
        self.passing: Ids | None = recall_passing(database, space, conditions)

    async def find_best(self, connection: Connection, scores: BM25Scores, depth: int) -> list[int]:
        """The best `depth` chunks that pass: exactly those, whatever the filters keep.

        A beginning of the ranking is filtered first. Where too few of it pass, that says how long a
        beginning is needed, or that so few chunks pass that all of them can be ranked.

        Args:
            connection: a session of the space's owner.
            scores: the ranking.
            depth: how many are wanted.
        """
        if not self.conditions and not self._space.restricted:
            return scores.best(depth)
        length = depth * FILTER_FACTOR
        while self.passing is None and length <= depth * MOST_FILTERED:
            ranking = scores.best(length)
            passing = await filter_chunks(connection, self._space, self.conditions, ranking)
            if len(passing) >= depth or len(ranking) < length:
                return [chunk for chunk in ranking if chunk in passing][:depth]
            length = int(MARGIN * length * depth / max(1, len(passing)))
        if self.passing is None:
            self.passing = await find_passing(
                self._database, connection, self._space, self.conditions
            )
        return scores.best(depth, among=self.passing)
