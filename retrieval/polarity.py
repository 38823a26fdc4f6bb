"""Whether sentences say the same or the opposite of the same things: "rose" and "fell", "not".

A word is read together with what stands near it: "costs rose" agrees with "costs went up" and not
with "sales rose, costs fell". A negation turns what it negates into its opposite, and so does a
comparison whose sides change places.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, islice

from retrieval.analysis import content_weight
from retrieval.opposites import THAN, negations, sides

NEAR = 4
"""Terms to either side of a word that say what it is said of."""

SCOPE = 5
"""Terms behind a negation that it negates."""

BACK = {"de": 4, "fr": 1, "ja": 4, "nl": 4}
"""Terms before a negation that it negates, in languages that put it behind the verb."""

COMPARED = 6
"""Terms to either side of a "than" that may be what is compared."""

MOST_WATCHED = 40
"""Words of a claim that are looked for: a long one against a long source must not cost a square."""


@dataclass(frozen=True, slots=True)
class Balance:
    """How much speaks for and against a claim, and the places of its terms that are opposed."""

    agree: float
    against: float
    opposed: tuple[int, ...]

    @property
    def value(self) -> float:
        """Between -1, all against, and 1; near 0 where there is little to go by."""
        return (self.agree - self.against) / (self.agree + self.against + 1)


@dataclass(frozen=True, slots=True)
class _Watched:
    """A word of a claim: its opposition, its place and side, and the content near it.

    A `plain` word has no opposite but its own negation; its opposition is the term itself.
    """

    opposition: str
    place: int
    side: int
    near: frozenset[str]
    plain: bool


class Polarity:
    """The terms of a sentence, and where those stand that have an opposite or are negated."""

    def __init__(self, terms: Sequence[str], language: str) -> None:
        """Args: terms: see `retrieval.analysis.terms`. language: theirs."""
        self.terms = terms
        self.language = language
        self.negations = negations(terms, language)
        back = BACK.get(language, 0)
        reach = (range(max(0, n - back), n + SCOPE + 1) for n in self.negations)
        places = {place for around in reach for place in around if place < len(terms)}
        self.negated = places.difference(self.negations)

    @cached_property
    def sided(self) -> dict[str, list[tuple[int, int]]]:
        """By opposition, place and side (1 or -1) of the terms that have an opposite."""
        table = sides(self.language)
        if table.keys().isdisjoint(self.terms):
            return {}
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, term in enumerate(self.terms):
            for opposition, side in table.get(term, {}).items():
                found[opposition].append((place, -side if place in self.negated else side))
        return found

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for place, term in enumerate(self.terms):
            found[term].append(place)
        return found

    def opposing(self, word: _Watched) -> Iterator[tuple[int, int]]:
        """Places and sides of what agrees with a word of a claim or opposes it.

        Of a plain word that nobody negates every mention agrees, which says nothing.
        """
        if not word.plain:
            yield from self.sided.get(word.opposition, ())
        elif self.negated or word.side == -1:
            for place in self._places.get(word.opposition, ()):
                side = -1 if place in self.negated else 1
                if -1 in (side, word.side):
                    yield place, side

    @cached_property
    def compared(self) -> tuple[frozenset[str], frozenset[str]] | None:
        """The content before and behind the "than" of a comparison; None without one."""
        than = THAN.get(self.language)
        if than is None:
            return None
        # written without blanks, it stands inside two terms
        places = [p for p, t in enumerate(self.terms) if t == than or (than in t and t > "\u3000")]
        if not places:
            return None
        first, end = places[0], places[0] + 1 + (places[0] + 1 in places)
        before, behind = self.terms[max(0, first - COMPARED) : first], self.terms[end:][:COMPARED]
        return (
            frozenset(term for term in before if _content(term, self.language)),
            frozenset(term for term in behind if _content(term, self.language)),
        )

    def near(self, place: int) -> Sequence[str]:
        """The terms near a place."""
        return self.terms[max(0, place - NEAR) : place + NEAR + 1]

    def watched(self) -> Iterator[_Watched]:
        """What a claim says that a source may oppose: what has an opposite or is negated first."""
        sided = [(name, *at, False) for name, places in self.sided.items() for at in places]
        denied = [(self.terms[place], place, -1, True) for place in sorted(self.negated)]
        others = sorted({*range(len(self.terms))}.difference(self.negated, self.negations))
        table = sides(self.language)
        for opposition, place, side, plain in chain(
            sided, denied, ((self.terms[place], place, 1, True) for place in others)
        ):
            term = self.terms[place]
            if not plain or (term not in table and _content(term, self.language)):
                near = frozenset(
                    other
                    for other in self.near(place)
                    if other != term
                    and opposition not in table.get(other, ())
                    and _content(other, self.language)
                )
                yield _Watched(opposition, place, side, near, plain)


def balance(claim: Polarity, source: Iterable[tuple[Polarity, float]]) -> Balance:
    """Weigh what the sentences of a source say against a claim.

    What the claim says of something is looked for on either side; what is found counts as many
    times as terms near it are common. A plain word counts only where one of the two negates it.

    Args:
        claim: one sentence.
        source: sentences, each with the share of the claim that it holds, which weighs it.
    """
    watched = list(islice(claim.watched(), MOST_WATCHED))
    agree = against = 0.0
    opposed: set[int] = set()
    for sentence, share in source:
        turned = -1 if _swapped(claim, sentence) else 1
        for word in watched:
            for place, side in sentence.opposing(word):
                weight = share * len(word.near.intersection(sentence.near(place)))
                if word.side == (side if word.plain else side * turned):
                    agree += weight
                elif weight:
                    against += weight
                    opposed.add(word.place)
    return Balance(agree, against, tuple(sorted(opposed)))


def _swapped(claim: Polarity, sentence: Polarity) -> bool:
    """Whether both compare the same things the other way round."""
    if not (claim.compared and sentence.compared):
        return False
    (before, behind), (other_before, other_behind) = claim.compared, sentence.compared
    crossed = before & other_behind and behind & other_before
    return bool(crossed) and not behind & other_behind


@lru_cache(maxsize=100_000)
def _content(term: str, language: str) -> bool:
    return content_weight(term, language) == 1
