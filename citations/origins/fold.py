"""Which sources are one origin: copies, reports of one agency, and those that name each other."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from citations.origins.credits import (
    Credits,
    find_attributions,
    find_credits,
    fold_address,
    fold_host,
    fold_name,
    is_organisation,
    name_agency,
)
from citations.origins.shingles import TextOverlap, compare_texts
from schema.report import ClaimOrigin, CopyReason, OriginCopy

COPIED = 0.3
"""Share of the smaller text's runs of five words that makes it a copy without any other sign."""

COPIED_WITH_SIGN = 0.1
"""The same where it names the other, or both have one agency, author, title or host."""

COPIED_PASSAGE = 0.5
"""Share of the runs of a passage that stand in the other source's for both to be one."""

PASSAGE_WORDS = 4
"""Words of a run of a passage."""

MIN_PASSAGE_RUNS = 7
"""Runs under which two passages may be alike by chance."""

_SURROUNDINGS = 300  # characters before and behind a passage in which its source may be named
_LONGEST_QUOTE = 600
_QUOTED = re.compile(
    rf"“[^”]{{20,{_LONGEST_QUOTE}}}”|\"[^\"]{{20,{_LONGEST_QUOTE}}}\""
    rf"|„[^“”]{{20,{_LONGEST_QUOTE}}}[“”]|«[^»]{{20,{_LONGEST_QUOTE}}}»"
)


@dataclass(frozen=True, kw_only=True)
class SourceText:
    """A source as far as its origin shows in it. What is not known is empty.

    `addresses` are its own, `canonical` is the one that it says is its original's; `links` are
    those that it points to. `published` is ISO 8601.
    """

    number: int
    text: str
    url: str = ""
    uri: str = ""
    canonical: str = ""
    title: str = ""
    author: str = ""
    site: str = ""
    published: str = ""
    links: frozenset[str] = frozenset()

    @cached_property
    def credits(self) -> Credits:
        """Whom it names as its source."""
        return find_credits(self.text, self.author, self.url or self.uri, self.site)

    @cached_property
    def addresses(self) -> frozenset[str]:
        """Host and path of each of its addresses."""
        return frozenset(filter(None, map(fold_address, (self.url, self.uri))))

    @cached_property
    def host(self) -> str:
        """Of its address, without "www."."""
        return fold_host(self.url or self.uri)

    @cached_property
    def names(self) -> frozenset[str]:
        """What others call it: its site and its host, with and without its ending."""
        plain = self.host.rpartition(".")[0]
        names = {fold_name(self.site), self.host, plain if len(plain) > 3 else ""}
        return frozenset(name for name in names if len(name) > 2)


Passage = tuple[int, int]
"""Start and end of what supports a claim, in characters of its source's text."""


class Origins:
    """The sources of a report, ready to be asked how many origins stand behind a claim."""

    def __init__(self, sources: Sequence[SourceText]) -> None:
        """Compare all texts with each other."""
        self._sources = list(sources)
        self._places = {one.number: place for place, one in enumerate(self._sources)}
        self._overlap: TextOverlap = compare_texts([one.text for one in self._sources])

    def count(self, passages: Mapping[int, Passage]) -> list[ClaimOrigin]:
        """The origins behind a claim, the most copied first.

        Args:
            passages: what supports the claim, by the number of its source.

        Returns:
            For each origin the source that stands for it, the one that others copy or else the
            oldest, and its copies with why they are that.
        """
        cited = [self._sources[self._places[n]] for n in passages if n in self._places]
        quotes = {one.number: _Quote(one, passages[one.number]) for one in cited}
        overlap = compare_texts([quotes[one.number].unquoted for one in cited], PASSAGE_WORDS)
        groups = {one.number: [one.number] for one in cited}
        why: dict[int, list[tuple[int, int, CopyReason]]] = {}
        for place, one in enumerate(cited):
            for other_place, other in enumerate(cited[:place]):
                reason = self._find_reason(
                    quotes[one.number], quotes[other.number], overlap, (place, other_place)
                )
                if reason:
                    why.setdefault(one.number, []).append((one.number, other.number, reason))
                    why.setdefault(other.number, []).append((other.number, one.number, reason))
                    if groups[one.number] is not groups[other.number]:
                        joined = groups[one.number] + groups[other.number]
                        for number in joined:
                            groups[number] = joined
        distinct = {id(group): group for group in groups.values()}.values()
        found = [self._describe(group, quotes, why) for group in distinct]
        return sorted(found, key=lambda one: -len(one["copies"]))

    def _find_reason(
        self, one: "_Quote", other: "_Quote", passages: TextOverlap, places: tuple[int, int]
    ) -> CopyReason | None:
        """Why two sources of a claim are one origin; None where nothing says so."""
        a, b = one.source, other.source
        if (a.canonical and fold_address(a.canonical) in b.addresses) or (
            b.canonical
            and fold_address(b.canonical) in a.addresses | {fold_address(a.canonical) or "-"}
        ):
            return "canonical"
        shared = self._overlap.containment(self._places[a.number], self._places[b.number])
        if shared >= COPIED:
            return "text"
        if (
            min(passages.sizes[place] for place in places) >= MIN_PASSAGE_RUNS
            and passages.containment(*places) >= COPIED_PASSAGE
        ):
            return "text"
        if one.agencies & other.agencies:
            return "agency"
        if one.names_as_source(b) or other.names_as_source(a):
            return "cites"
        if one.organisations & other.organisations:
            return "cites"
        alike = a.credits.mixed | a.credits.agencies, b.credits.mixed | b.credits.agencies
        if shared >= COPIED_WITH_SIGN:
            if alike[0] & alike[1]:
                return "agency"
            if a.links & b.addresses or b.links & a.addresses:
                return "cites"
            if a.host == b.host or (a.author and a.author == b.author) or _is_same_title(a, b):
                return "publisher"
        if a.host and a.host == b.host and a.author and a.author == b.author:
            return "publisher"
        return None

    def _describe(
        self,
        group: Sequence[int],
        quotes: Mapping[int, "_Quote"],
        why: Mapping[int, Sequence[tuple[int, int, CopyReason]]],
    ) -> ClaimOrigin:
        """The origin of sources that belong together."""
        sources = [quotes[number].source for number in group]
        first = min(sources, key=lambda one: self._rank(one, sources, quotes))
        agencies = sorted(frozenset.intersection(*(quotes[one].agencies for one in group)))
        copies = [
            OriginCopy(number=number, reason=_choose_reason(why[number], first.number))
            for number in sorted(group)
            if number != first.number
        ]
        return ClaimOrigin(
            number=first.number, name=agencies[0] if agencies and copies else "", copies=copies
        )

    def _rank(
        self, one: SourceText, group: Sequence[SourceText], quotes: Mapping[int, "_Quote"]
    ) -> tuple[int, str, int, int]:
        """How near a source is to the origin: named by others, older, longer."""
        named = sum(
            fold_address(other.canonical) in one.addresses
            or quotes[other.number].names_as_source(one)
            for other in group
            if other is not one
        )
        names = sum(
            fold_address(one.canonical) in other.addresses
            or quotes[one.number].names_as_source(other)
            for other in group
            if other is not one
        )
        return names - named, one.published or "9", -len(one.text), one.number


class _Quote:
    """A passage of a source: what it says, and whom it and its surroundings name for it."""

    def __init__(self, source: SourceText, passage: Passage) -> None:
        self.source = source
        start, end = passage
        text = source.text
        self.unquoted = _QUOTED.sub(" ", text[start:end])
        around = text[max(0, start - _SURROUNDINGS) : end + _SURROUNDINGS]
        paragraphs = list(_find_paragraphs(around, start - max(0, start - _SURROUNDINGS)))
        self._attributed = find_attributions("\n".join(paragraphs)[: 4 * _SURROUNDINGS])

    @cached_property
    def agencies(self) -> frozenset[str]:
        """Agencies that it has what it says from."""
        named = {agency for name in self._attributed for agency in [name_agency(name)] if agency}
        return self.source.credits.agencies | named

    @cached_property
    def organisations(self) -> frozenset[str]:
        """Offices and the like that it has what it says from."""
        return frozenset(filter(is_organisation, self._attributed))

    def names_as_source(self, other: SourceText) -> bool:
        """Whether it names another source, or its address, for what it says or for all it says."""
        named = {*self._attributed, *self.source.credits.republished}
        if named & (other.names | other.addresses):
            return True
        author = fold_name(other.author)
        return len(author) > 5 and " " in author and author in named


def _find_paragraphs(around: str, at: int) -> Iterator[str]:
    """The paragraph at a place of a text."""
    start, end = around.rfind("\n\n", 0, at + 1), around.find("\n\n", at + 1)
    yield around[start + 1 if start >= 0 else 0 : end if end >= 0 else len(around)]


def _is_same_title(one: SourceText, other: SourceText) -> bool:
    folded = fold_name(one.title)
    return folded.count(" ") >= 3 and folded == fold_name(other.title)


def _choose_reason(why: Sequence[tuple[int, int, CopyReason]], first: int) -> CopyReason:
    """Why a source belongs to its origin, by its tie to that or else to another of the group."""
    return next((reason for _, other, reason in why if other == first), why[0][2])
