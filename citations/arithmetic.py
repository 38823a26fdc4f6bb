"""Numbers of a sentence that are worked out from others: no source has to hold them."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain, combinations, pairwise, permutations, product

from citations.formulas import CONVERSIONS, find_formulas
from citations.rounding import is_rough, rounds_to
from text.numbers import Quantity

MOST_OPERANDS, MOST_OF_RATIOS = 6, 4
"""Numbers that a sentence may have from its source, for sums and products, and for ratios and
percentages, which are rounded: of more, two come to nearly any third."""

MOST_ACROSS = 40
"""Pairs of a number of a sentence and one of another sentence that are looked at."""

ROUGH_FRACTION = Decimal("0.05")
"""Part of a fraction by which "almost two thirds" may miss it."""

MILLION = 1_000_000
"""From here on a written sum may leave out the thousands or millions: 2,000 for two billion."""

BYTES = {"KB": 3, "MB": 6, "GB": 9, "TB": 12}
"""Powers of ten by which a size in this unit is more in bytes."""

Group = Sequence[Quantity]
"""The numbers of one cited sentence, or of one row of a table."""


def find_results(
    text: str, missing: Group, known: Group, given: Sequence[Group] = ()
) -> list[Quantity]:
    """Those of the missing numbers that known ones come to, and those that are found so.

    "80 % of 5,000, which is 4,000" is worked out from what a source has. Years are no results.

    Args:
        text: the sentence.
        missing: its numbers that its source lacks.
        known: those that it has.
        given: the numbers of cited sentences before it, and of its passages. Only numbers of one of
            these are combined with each other, and each of them with one of the sentence's own;
            they bear out no number of one figure, which many come to.
    """
    found: list[Quantity] = []
    groups = [_select_operands(one) for one in given]
    values = {one.value for group in groups for one in group}
    formulas = find_formulas(text, [*known, *missing])
    for _ in range(3):  # a share of a difference takes two steps, a sum of shares three
        own = [*_select_operands(known), *found]
        held = values | {one.value for one in own}
        held |= {value.scaleb(-power) for value in held for power in (3, 6) if value >= MILLION}
        written = [one for one in formulas if one.has_operands(held)]
        operands = {value for one in written for value in one.operands}
        own += [Quantity(0, 0, one.value, "") for one in written if one.value not in held]
        across = {x for group in groups for x in _combine_across(own, group)}
        parts = {x for group in groups for x in _find_parts(own, group)}
        found += [
            one
            for one in missing
            if one not in found
            and not one.is_year
            and (
                one.value in operands
                or any(rounds_to(f.value, one.value, rough=is_rough(text, one)) for f in written)
                or _is_result(text, one, own)
                or (
                    _count_figures(one.value) > 1
                    and (
                        one.value in across
                        or (one.unit in BYTES and one.value.scaleb(BYTES[one.unit]) in across)
                        or any(rounds_to(x, one.value, rough=is_rough(text, one)) for x in parts)
                        or any(_is_result(text, one, group) for group in groups)
                    )
                )
            )
        ]
    return found


def comes_of(value: Decimal, numbers: Iterable[Decimal]) -> bool:
    """Whether two of several numbers come to a value exactly: their sum, product or quotient."""
    held = set(numbers)
    return any(
        value - one in held
        or value + one in held
        or (one != 0 and (value / one in held or value * one in held))
        for one in held
    )


def _select_operands(numbers: Group) -> list[Quantity]:
    counted = {one.value: one for one in numbers if not one.is_loose and not one.is_year}
    return list(counted.values())


def _is_result(text: str, quantity: Quantity, operands: Group) -> bool:
    if len(operands) > MOST_OPERANDS:
        return False
    value, rough = quantity.value, is_rough(text, quantity)
    exact = [*_combine(operands), *_add_up(operands)]
    if value in exact or (rough and any(rounds_to(one, value, rough=True) for one in exact)):
        return True
    if len(operands) > MOST_OF_RATIOS:
        return False
    if quantity.is_fraction and rough:
        return any(abs(one - value) <= ROUGH_FRACTION * value for one in _find_quotients(operands))
    related = _find_shares(operands) if quantity.unit == "%" else _find_quotients(operands)
    if _count_figures(value) > 1:
        related = chain(related, _find_rates(operands))
    return any(rounds_to(one, value, rough=rough) for one in related)


def _combine(operands: Group) -> Iterator[Decimal]:
    """Sums, differences, products, percentages of others, and numbers in another unit."""
    for one, other in permutations(operands, 2):
        a, b = one.value, other.value
        yield from (a + b, a - b, a * b)
        if one.unit == "%":
            yield from (a * b / 100, b - a * b / 100, b + a * b / 100)
    for one, factor in product(operands, CONVERSIONS):
        if one.unit:
            yield from (one.value * factor, one.value / factor)


def _combine_across(own: Group, group: Group) -> Iterator[Decimal]:
    """What comes of a number of the sentence and one of another, without rounding."""
    if len(own) * len(group) > MOST_ACROSS:
        return
    for a, b in ((one.value, other.value) for one in own for other in group):
        yield from (a + b, a - b, b - a, a * b)
        yield from (x / y for x, y in ((a, b), (b, a)) if y)


def _find_parts(own: Group, group: Group) -> Iterator[Decimal]:
    """A third of a number, or 30 % of it, where one stands in the sentence and one in another."""
    if len(own) * len(group) > MOST_ACROSS:
        return
    for a, b in product(own, group):
        if a.is_fraction or b.is_fraction:
            yield a.value * b.value
        elif (a.unit == "%") != (b.unit == "%"):
            yield a.value * b.value / 100


def _count_figures(value: Decimal) -> int:
    """How many figures a number has but for zeros at its ends."""
    return len(value.normalize().as_tuple().digits)


def _add_up(operands: Group) -> Iterator[Decimal]:
    """Sums of three and more in a row, and of products of neighbours."""
    values = [one.value for one in operands]
    for first, end in combinations(range(len(values) + 1), 2):
        if end - first > 2:
            yield sum(values[first:end], Decimal(0))
    pairs = [a * b for a, b in zip(values[::2], values[1::2], strict=False)]
    if len(values) > 3 and len(values) % 2 == 0:
        yield sum(pairs, Decimal(0))
        yield from (a - b for a, b in pairwise(pairs))


def _find_quotients(operands: Group) -> Iterator[Decimal]:
    return (a.value / b.value for a, b in permutations(operands, 2) if b.value)


def _find_rates(operands: Group) -> Iterator[Decimal]:
    """Quotients of one and the product of two others: euro in all for a kilometre and year."""
    for a, b, c in permutations(operands, 3):
        if 0 < b.value < c.value:
            yield a.value / (b.value * c.value)


def _find_shares(operands: Group) -> Iterator[Decimal]:
    """Shares of another number and of all of them, and changes, in percent."""
    whole = sum((one.value for one in operands), Decimal(0))
    if whole and len(operands) > 2:
        yield from (100 * one.value / whole for one in operands)
    for a, b in permutations(operands, 2):
        if b.value:
            share = 100 * a.value / b.value
            yield from (share, abs(share - 100))
