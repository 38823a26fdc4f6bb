"""Whether sentences say the same or the opposite of the same things: "rose" and "fell", "not".

A word is read together with what stands near it: "costs rose" agrees with "costs went up" and not
with "sales rose, costs fell". A negation turns what it negates into its opposite.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain, islice, pairwise

from citations.antonyms import find_negations, load_antonyms
from text.tokens import content_weight

CONTEXT_TERMS = 4
"""Terms to either side of a word that say what it is said of."""

NEGATION_SCOPE = 5
"""Terms behind a negation that it negates."""

SHORT_SCOPES = {"without": 2, "ohn": 2, "san": 2, "sin": 2, "senz": 2, "sem": 2, "zonder": 2}
"""The same of words that stand before a noun and negate no more: "without treatment"."""

NONE_SCOPE = 3
"""Terms before "none" that it negates: "if the job has none"."""

CONTRASTS = {"en": "but", "de": "sond", "fr": "mais", "it": "ma", "nl": "maar", "pt": "mas"}
"""Terms at which what is negated ends: "not a help but an obstacle"."""

NEGATION_SCOPE_BEFORE = {"de": 4, "fr": 1, "ja": 4, "nl": 4}
"""Terms before a negation that it negates, in languages that put it behind the verb."""

MAX_WATCHED_WORDS = 40
"""Words of a claim that are looked for: a long one against a long source must not cost a square."""


@dataclass(frozen=True, slots=True)
class Balance:
    """How much speaks for and against a claim, and the positions of its terms that are opposed."""

    agreement: float
    disagreement: float
    opposed_positions: tuple[int, ...]

    @property
    def score(self) -> float:
        """Between -1, all against, and 1; near 0 where there is little to go by."""
        return (self.agreement - self.disagreement) / (self.agreement + self.disagreement + 1)


@dataclass(frozen=True, slots=True)
class _WatchedWord:
    """A word of a claim: its opposition, its position and side, and the content near it.

    A `is_plain` word has no opposite but its own negation; its opposition is the term itself.
    """

    opposition: str
    position: int
    side: int
    context: frozenset[str]
    is_plain: bool


class Polarity:
    """The terms of a sentence, and where those stand that have an opposite or are negated."""

    def __init__(
        self,
        terms: Sequence[str],
        language: str,
        clauses: Sequence[int] = (),
        code: Collection[int] = (),
    ) -> None:
        """Read the terms of a sentence.

        Args:
            terms: see `text.tokens.tokenise`.
            language: theirs.
            clauses: how many terms each clause has, across whose ends nothing is negated; none
                where there is one alone.
            code: positions of terms that negate nothing, whatever they are.
        """
        self.terms = terms
        self.language = language
        self.negation_positions = [n for n in find_negations(terms, language) if n not in code]
        back = NEGATION_SCOPE_BEFORE.get(language, 0)
        ends = [0, *accumulate(clauses or [len(terms)])]
        positions = {
            position
            for n in self.negation_positions
            for first, end in pairwise(ends)
            if first <= n < end
            for position in range(
                max(first, n - (NONE_SCOPE if terms[n] == "none" else back)),
                min(end, self._find_scope_end(n)),
            )
        }
        self.negated_positions = positions.difference(self.negation_positions)

    def _find_scope_end(self, negation: int) -> int:
        """Where what a negation negates ends behind it."""
        end = negation + SHORT_SCOPES.get(self.terms[negation], NEGATION_SCOPE) + 1
        scope = self.terms[negation:end]
        contrast = CONTRASTS.get(self.language)
        return negation + scope.index(contrast) if contrast in scope else end

    @cached_property
    def sides(self) -> dict[str, list[tuple[int, int]]]:
        """By opposition, position and side (1 or -1) of the terms that have an opposite."""
        table = load_antonyms(self.language)
        if table.keys().isdisjoint(self.terms):
            return {}
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for position, term in enumerate(self.terms):
            for opposition, side in table.get(term, {}).items():
                found[opposition].append(
                    (position, -side if position in self.negated_positions else side)
                )
        return found

    @cached_property
    def negated_terms(self) -> frozenset[str]:
        """The terms of content that are negated."""
        terms = {self.terms[position] for position in self.negated_positions}
        return frozenset(term for term in terms if _is_content(term, self.language))

    def repeats_negations(self, said: Iterable["Polarity"]) -> bool:
        """Whether each of its negations, of one at least, negates what is negated there as well."""
        known = frozenset[str]().union(*(one.negated_terms for one in said))
        back = max(NEGATION_SCOPE_BEFORE.get(self.language, 0), NONE_SCOPE)
        scopes = [
            {
                self.terms[position]
                for position in range(n - back, n + NEGATION_SCOPE + 1)
                if position in self.negated_positions
            }
            for n in self.negation_positions
        ]
        return bool(scopes) and not any(known.isdisjoint(one) for one in scopes)

    @cached_property
    def _positions(self) -> dict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for position, term in enumerate(self.terms):
            found[term].append(position)
        return found

    def find_opposing(self, word: _WatchedWord) -> Iterator[tuple[int, int]]:
        """Places and sides of what agrees with a word of a claim or opposes it.

        Of a plain word that nobody negates every mention agrees, which says nothing; where one
        mention is negated, as in another clause, the others speak for the claim.
        """
        if not word.is_plain:
            yield from self.sides.get(word.opposition, ())
        elif self.negated_positions or word.side == -1:
            positions = self._positions.get(word.opposition, ())
            if word.side == -1 or not self.negated_positions.isdisjoint(positions):
                yield from (
                    (position, -1 if position in self.negated_positions else 1)
                    for position in positions
                )

    def terms_near(self, position: int) -> Sequence[str]:
        """The terms near a position."""
        return self.terms[max(0, position - CONTEXT_TERMS) : position + CONTEXT_TERMS + 1]

    def find_watched_words(self) -> Iterator[_WatchedWord]:
        """What a claim says that a source may oppose: what has an opposite or is negated first."""
        sided = [(name, *at, False) for name, positions in self.sides.items() for at in positions]
        denied = [
            (self.terms[position], position, -1, True)
            for position in sorted(self.negated_positions)
        ]
        others = sorted(
            {*range(len(self.terms))}.difference(self.negated_positions, self.negation_positions)
        )
        table = load_antonyms(self.language)
        for opposition, position, side, plain in chain(
            sided, denied, ((self.terms[position], position, 1, True) for position in others)
        ):
            term = self.terms[position]
            if not plain or (term not in table and _is_content(term, self.language)):
                near = frozenset(
                    other
                    for other in self.terms_near(position)
                    if other != term
                    and opposition not in table.get(other, ())
                    and _is_content(other, self.language)
                )
                yield _WatchedWord(opposition, position, side, near, plain)


def weigh_agreement(claim: Polarity, source: Iterable[tuple[Polarity, float]]) -> Balance:
    """Weigh what the sentences of a source say against a claim.

    What the claim says of something is looked for on either side; what is found counts as many
    times as terms near it are common. A plain word counts only where one of the two negates it.

    Args:
        claim: one sentence.
        source: sentences, each with the share of the claim that it holds, which weighs it.
    """
    watched = list(islice(claim.find_watched_words(), MAX_WATCHED_WORDS))
    agree = against = 0.0
    opposed: set[int] = set()
    for sentence, share in source:
        for word in watched:
            for position, side in sentence.find_opposing(word):
                weight = share * len(word.context.intersection(sentence.terms_near(position)))
                if word.side == side:
                    agree += weight
                elif weight:
                    against += weight
                    opposed.add(word.position)
    return Balance(agree, against, tuple(sorted(opposed)))


@lru_cache(maxsize=100_000)
def _is_content(term: str, language: str) -> bool:
    return content_weight(term, language) == 1
