"""Whether a number is another one rounded, and whether a sentence says that it is."""

import re
from decimal import Decimal, localcontext

from text.numbers import Quantity

MAX_ROUGH_ERROR = Decimal("0.1")
"""Largest part of a number by which "about" may miss it."""

_ROUGH = re.compile(
    r"(?:\b(?:about|around|roughly|nearly|almost|approximately|approx\.|some|close to|just (?:over|"
    r"under)|etwa|rund|circa|ca\.|knapp|gut|fast|ungefähr|environ|près d[e'’]|presque|unos|unas|"
    r"alrededor de|cerca de|casi|aproximadamente|quasi|quase|ongeveer|bijna|zo['’]n)\s+(?:a |an |"
    r"eine?[mnr]? |une? )?|[约約近]|およそ|[~≈]\s?)[$€£]?$",
    re.IGNORECASE,
)


def is_rough(text: str, quantity: Quantity) -> bool:
    """Whether the words before a number of a text say that it is rounded."""
    return _ROUGH.search(text[max(0, quantity.start - 24) : quantity.start]) is not None


def rounds_to(result: Decimal, value: Decimal, *, rough: bool = False) -> bool:
    """Whether a result is a value when it is rounded to as many places as that has.

    Args:
        result: what was worked out, or what a source gives.
        value: what is said.
        rough: whether it is said to be rounded: zeros at its end are then no places, and it may
            miss by a tenth at most.
    """
    with localcontext() as context:
        context.prec = 60
        written = int(value.as_tuple().exponent)
        exponent = int(value.normalize().as_tuple().exponent) if rough else min(0, written)
        if rough and abs(result - value) > MAX_ROUGH_ERROR * abs(value):
            return False
        return abs(result).adjusted() < 50 and result.quantize(Decimal(1).scaleb(exponent)) == value
