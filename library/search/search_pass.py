"""One pass of a search: what is looked for, in which space, and how."""

from dataclasses import dataclass, replace

from library.database.spaces import Space
from library.session import clean_text
from retrieval.search.query import Query, analyse_query, infer_detail
from schema.search import RETRIEVERS, SUMMARIES, Detail, Filters, SearchOptions, Step

MIN_DEPTH = 100
"""Candidates of each retriever, at least: fewer make fused scores depend on the limit."""

DEEP_FACTOR = 10
"""Times the depth, where the first candidates were all of a few documents."""

PASSAGES_PER_DOCUMENT = 6
"""Passages that one document may bring into a search of whole documents."""

QUERY_CHARACTERS = 10_000


@dataclass(frozen=True)
class SearchPass:
    """A query and its variants, read for a space. `deep` asks each retriever for many more."""

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
        """Candidates wanted of each retriever."""
        passages = PASSAGES_PER_DOCUMENT if self.options.mode == "documents" else 2
        return max(MIN_DEPTH, passages * self.options.limit) * (DEEP_FACTOR if self.deep else 1)

    def to_step(self) -> Step:
        """How the query was read, for the trace."""
        read = self.queries[0]
        told = {"language": read.language, "words": len(read.words), "detail": self.detail}
        return Step("query", told | {"variants": len(self.queries) - 1})

    def deepen(self) -> "SearchPass":
        """The same with many more candidates: a few long documents filled the lists."""
        return replace(self, deep=True)

    def widen(self) -> "SearchPass":
        """The same with every retriever and every kind of chunk."""
        alone = len(self.options.retrievers) == 1  # one retriever that was asked for stays alone
        options = self.options if alone else replace(self.options, retrievers=RETRIEVERS)
        detail: Detail = "medium" if self.detail == "low" else self.detail
        return replace(self, options=options, detail=detail)


def clean_query(query: str) -> str:
    """The 10,000 characters of a query that count, without those that neither keep nor send."""
    return clean_text(query[:QUERY_CHARACTERS])


def prepare_pass(space: Space, query: str, options: SearchOptions) -> SearchPass:
    """Read a query, of which 10,000 characters count, for a space."""
    texts = [clean_query(text) for text in (query, *options.variants)]
    detail = infer_detail(texts[0]) if options.detail == "auto" else options.detail
    return SearchPass(
        space=space,
        queries=tuple(analyse_query(text, space.languages) for text in texts),
        options=options,
        detail=detail,
    )
