"""The grounds that a writer gives for sentences, as far as they can be checked.

A writer names behind a section the sums that its figures come of. A sentence that words and figures
do not confirm goes back to its writer, who may say why it stands: with the words of the source that
tell it, or with such a sum. The words have to stand in a source that the sentence cites, and the
sum has to come out.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from citations.arithmetic import MILLION, ROUGH_FRACTION
from citations.claim_facts import SentenceFacts
from citations.content_terms import count_common_terms, find_content_terms
from citations.evidence_span import SourcePassages
from citations.formulas import CONVERSIONS, find_formulas, read_sum
from citations.markers import strip_markers
from citations.rounding import is_rough, rounds_to
from schema.report import Section
from text.fenced_blocks import split_blocks
from text.numbers import Quantity, find_quantities

FEWEST_CHARACTERS, FEWEST_OF_ROW = 12, 6
"""Of a quote: a shorter one stands anywhere. The second, of one of cells of a table."""

MIN_QUOTED_SHARE = 0.25
"""Share of the words of content of a sentence that the quotes have which tell it."""

MOST_COUNTED = 12
"""Whole numbers up to this one may count what a text names, in a sum as well."""

MOST_SUMS = 30
"""That are kept of a section."""

POWERS = (3, 6, 9)
"""Of ten: what a sum may leave out of numbers from `MILLION` on."""

_QUOTED = re.compile(r"[\"“„«‚‘「『]([^\"“”„«»‘’「」『』]+)[\"”“»’」』]")
_MAX_CHARACTERS = 200
_EQUALS = re.compile(r"\s*[=≈]\s*")


@dataclass(frozen=True)
class Grounds:
    """What stands behind sentences of a section beside the words of their sources.

    Attributes:
        given: sentences whose writer gave grounds: what they follow from, or are worked out from.
        quoted: sentences of which their writer showed the words in a source that they cite.
        told: sentences of a summary that its sections tell.
        sums: how figures of the sentences are worked out, as in "900 - 780 = 120".
    """

    given: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    sums: tuple[str, ...] = ()

    def back(self, sentence: str, language: str) -> bool:
        """Whether grounds were given for a sentence, or a sum for a figure of it."""
        if sentence in self.given:
            return True
        results = list_results(self.sums, language)
        found = find_quantities(strip_markers(sentence), language) if results else ()
        values = [q.value.scaleb(-n) for q in found if not q.is_year for n in (0, *POWERS)]
        return any(_rounds(results, one, rough=True) for one in values) or any(
            _is_nearly(results, q) for q in found
        )


NO_GROUNDS = Grounds()


def read_grounds(draft: Section) -> Grounds:
    """The grounds that are kept with a section."""
    return Grounds(
        frozenset(draft.get("grounded", [])),
        frozenset(draft.get("quoted", [])),
        frozenset(draft.get("told", [])),
        tuple(draft.get("sums", [])),
    )


def split_sums(text: str) -> tuple[str, list[str]]:
    """A section's text without the fenced blocks of how its figures are worked out, and these sums.

    A line is a sum, as in "900 - 780 = 120".
    """
    text, lines = split_blocks(text, "sums")
    return text, [one[:_MAX_CHARACTERS] for one in lines if _EQUALS.search(one)][:MOST_SUMS]


@lru_cache(maxsize=64)
def list_results(sums: tuple[str, ...], language: str) -> frozenset[Decimal]:
    """What sums come to, as their writer says."""
    said = [find_quantities(_EQUALS.split(one)[-1], language) for one in sums]
    return frozenset(found[0].value for found in said if found)


def shows_quote(said: str, sentence: str, sources: Iterable[SourcePassages], language: str) -> bool:
    """Whether a writer's words quote sources word by word on what a sentence says.

    Of a row of a table its figures speak of it as well.
    """
    quotes = [
        _fold(one)
        for one in _QUOTED.findall(said)
        if len(_fold(one)) >= (FEWEST_OF_ROW if "|" in one else FEWEST_CHARACTERS)
    ]
    if not quotes:
        return False
    texts = [_fold(" ".join(u.facts.text for u in source.sentences)) for source in sources]
    read = " ".join(one for one in quotes if any(one in text for text in texts))
    least = MIN_QUOTED_SHARE * len(find_content_terms(sentence, language))
    figures = [
        {q.value for q in find_quantities(text, language)}
        for text in (read, strip_markers(sentence))
    ]
    is_row = "|" in said and not figures[0].isdisjoint(figures[1])
    return bool(read) and (is_row or count_common_terms(read, sentence, language) >= least)


def reckon_sums(sums: Sequence[str], known: Collection[Decimal], language: str) -> set[Decimal]:
    """The results of the sums that come out, and the known numbers that they are made of.

    Each is made of known numbers or of results before it, which it may round.

    One may leave out the thousands or millions of its numbers, as in "1,960 - 1,520 = 440", and
    the hundred of a share, as in "3 / 4 = 75 %". Known without being given are small whole numbers,
    their halves and quarters (a start of 2.5 times the default is a choice), powers of ten, how
    many of a unit make another, and a known number as per cent, of a whole or on top of it.
    """
    held = set(known)
    short = {value.scaleb(-power) for value in held for power in POWERS if value >= MILLION}
    results: set[Decimal] = set()
    for written in sums:
        left, *behind = _EQUALS.split(written)
        formula = read_sum(left, find_quantities(left, language))
        said = find_quantities(behind[-1], language) if behind else []
        if formula is None or not said:
            continue
        operands, result = formula.operands, said[0].value
        value = formula.value * 100 if said[0].unit == "%" else formula.value
        given = [
            one for one in operands if one in held | short or _rounds(results, one, rough=True)
        ]
        if not all(one in given or _needs_no_ground(one, held) for one in operands):
            continue
        if any(rounds_to(one, result, rough=True) for one in (formula.value, value)):
            whole: list[Decimal] = []
            if not short.isdisjoint(operands):
                whole = [result.scaleb(power) for power in POWERS]
                short.add(result)
            held |= {result, *whole}
            results |= {result, *whole, *given, *(one * 100 for one in given if one < 1)}
    return results


def reckon_written(claim: SentenceFacts, known: Collection[Decimal]) -> set[Decimal]:
    """The results and the numbers of the sums that a sentence writes out of known numbers.

    What needs not be known is the same as in `reckon_sums`, but one number is.
    """
    held = set(known)
    formulas = find_formulas(claim.text, claim.quantities)
    grounded = [
        one
        for one in formulas
        if not held.isdisjoint(one.operands)
        and all(n in held or _needs_no_ground(n, held) for n in one.operands)
    ]
    return {number for one in grounded for number in (one.value, *one.operands)}


def list_worked_out(claim: SentenceFacts, results: Collection[Decimal]) -> set[str]:
    """The numbers of a sentence, as written, that are results or one rounded to their places.

    One that the sentence says to be rough may miss a result by more.
    """
    return {
        claim.text[q.start : q.end]
        for q in claim.quantities
        if not q.is_year
        and (
            _rounds(results, q.value, rough=is_rough(claim.text, q))
            or (is_rough(claim.text, q) and _is_nearly(results, q))
        )
    }


def _is_nearly(results: Iterable[Decimal], quantity: Quantity) -> bool:
    """Whether a result, or a share in per cent, is a fraction but for a little: two thirds."""
    value, most = quantity.value, ROUGH_FRACTION * quantity.value
    return quantity.is_fraction and any(
        abs(share - value) <= most for one in results for share in (one, one / 100)
    )


def _rounds(results: Iterable[Decimal], value: Decimal, *, rough: bool) -> bool:
    return any(one == value or rounds_to(one, value, rough=rough) for one in results)


def _needs_no_ground(operand: Decimal, held: Collection[Decimal]) -> bool:
    quarters = 4 * operand
    counts = quarters == quarters.to_integral_value() and 0 < operand <= MOST_COUNTED
    is_power_of_ten = operand.normalize().as_tuple().digits == (1,)
    shares = (operand * 100, abs(operand - 1) * 100)  # 1.3 is 30 per cent more
    return operand in CONVERSIONS or counts or is_power_of_ten or any(one in held for one in shares)


def _fold(text: str) -> str:
    return " ".join(re.sub(r"[*_`|]", " ", text).casefold().split()).strip(" .,;:…")
