"""One pass of a search: what is looked for, in which space, and how."""

from dataclasses import dataclass, replace

from library.prepare import storable
from library.spaces import Space
from retrieval.query import Query, read_query, wanted_detail
from schema.search import ARMS, SUMMARIES, Detail, Filters, SearchOptions, Step

DEPTH = 100
"""Candidates of each arm, at least: fewer make fused scores depend on the limit."""

DEEPER = 10
"""Times the depth, where the first candidates were all of a few documents."""

PASSAGES_PER_DOCUMENT = 6
"""Passages that one document may bring into a search of whole documents."""

QUERY_CHARACTERS = 10_000


@dataclass(frozen=True)
class Asked:
    """A query and its variants, read for a space. `deep` asks each arm for many more."""

    space: Space
    queries: tuple[Query, ...]
    options: SearchOptions
    detail: Detail
    deep: bool = False

    @property
    def filters(self) -> Filters:
        """The caller's filters, and at low detail the kinds of chunk it looks at."""
        given = self.options.filters
        if self.detail != "low" or given.kinds:
            return given
        return replace(given, kinds=SUMMARIES)

    @property
    def depth(self) -> int:
        """Candidates wanted of each arm."""
        passages = PASSAGES_PER_DOCUMENT if self.options.mode == "documents" else 2
        return max(DEPTH, passages * self.options.limit) * (DEEPER if self.deep else 1)

    def step(self) -> Step:
        """How the query was read, for the trace."""
        read = self.queries[0]
        told = {"language": read.language, "words": len(read.words), "detail": self.detail}
        return Step("query", told | {"variants": len(self.queries) - 1})

    def deeper(self) -> "Asked":
        """The same with many more candidates: a few long documents filled the lists."""
        return replace(self, deep=True)

    def wider(self) -> "Asked":
        """The same with every arm and every kind of chunk."""
        alone = len(self.options.arms) == 1  # one arm that was asked for stays alone
        options = self.options if alone else replace(self.options, arms=ARMS)
        detail: Detail = "medium" if self.detail == "low" else self.detail
        return replace(self, options=options, detail=detail)


def readable(query: str) -> str:
    """The 10,000 characters of a query that count, without those that neither keep nor send."""
    return storable(query[:QUERY_CHARACTERS])


def read_asked(space: Space, query: str, options: SearchOptions) -> Asked:
    """Read a query, of which 10,000 characters count, for a space."""
    texts = [readable(text) for text in (query, *options.variants)]
    detail = wanted_detail(texts[0]) if options.detail == "auto" else options.detail
    return Asked(
        space=space,
        queries=tuple(read_query(text, space.languages) for text in texts),
        options=options,
        detail=detail,
    )
