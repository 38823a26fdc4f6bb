"""Numbers of a sentence that come of two others in it: no source has to hold them."""

from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from itertools import permutations

from text.numbers import Quantity

MOST_OPERANDS, MOST_OF_RATIOS = 6, 4
"""Numbers that a sentence may have from its source, for sums and products, and for ratios and
percentages, which are rounded: of more, two come to nearly any third."""


def find_results(missing: Sequence[Quantity], known: Sequence[Quantity]) -> list[Quantity]:
    """Those of the missing numbers that two known ones come to, or one known and one found so.

    "70 % of 20,000, which is 14,000" is worked out from what a source has. Years are no results.

    Args:
        missing: numbers of a sentence that its source lacks.
        known: those that it has.
    """
    counted = [one for one in known if not one.is_loose and not one.is_year]
    found: list[Quantity] = []
    for _ in range(2):  # a share of a difference takes both steps
        operands = [*counted, *found]
        new = [
            one
            for one in missing
            if one not in found and not one.is_year and _is_result(one, operands)
        ]
        found += new
    return found


def _is_result(quantity: Quantity, operands: Sequence[Quantity]) -> bool:
    results = [*_combine(operands)] if len(operands) <= MOST_OPERANDS else []
    if quantity.value in results:
        return True
    if len(operands) > MOST_OF_RATIOS:
        return False
    related = _find_shares(operands) if quantity.unit == "%" else _find_quotients(operands)
    return any(_rounds_to(one, quantity.value) for one in related)


def _combine(operands: Sequence[Quantity]) -> Iterator[Decimal]:
    """Sums, differences, products, and percentages of others."""
    for one, other in permutations(operands, 2):
        a, b = one.value, other.value
        yield from (a + b, a - b, a * b)
        if one.unit == "%":
            yield a * b / 100


def _find_quotients(operands: Sequence[Quantity]) -> Iterator[Decimal]:
    return (a.value / b.value for a, b in permutations(operands, 2) if b.value)


def _find_shares(operands: Sequence[Quantity]) -> Iterator[Decimal]:
    """Shares and changes, in percent."""
    for a, b in permutations(operands, 2):
        if b.value:
            share = 100 * a.value / b.value
            yield from (share, abs(share - 100))


def _rounds_to(result: Decimal, value: Decimal) -> bool:
    with localcontext() as context:
        context.prec = 60
        exponent = min(0, int(value.as_tuple().exponent))
        return result.quantize(Decimal(1).scaleb(exponent)) == value
