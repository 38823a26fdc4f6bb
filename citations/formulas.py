"""Sums that a sentence writes out: "5,500 less 3,200", "25 × 5,400 + 222,500"."""

import ast
import operator
import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from text.numbers import Quantity

CONVERSIONS = tuple(map(Decimal, (7, 12, 24, 52, 60, 100, 365, 1_000, 3_600, 86_400, 1_000_000)))
"""How many of a unit make another: days, months, hours, weeks, seconds, and powers of ten."""

_OPERATORS = {
    "+": r"\+|plus|più|mais|más|加|足す",
    "-": r"[-−–]|less|minus|weniger|abzüglich|moins|menos|meno|min|减|引く",
    "*": r"[×*·x]|times|mal|fois|por|keer|乘|掛ける",
    "/": r"[/÷:]|divided by|over|(?:geteilt )?durch|divisé par|dividido (?:entre|por)|diviso|"
    r"gedeeld door|除以|割る",
}  # fmt: skip
_OPERATOR = {
    sign: re.compile(rf"\s*(?:{words})\s*[$€£]?", re.IGNORECASE)
    for sign, words in _OPERATORS.items()
}


_RECKON: Mapping[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip


@dataclass(frozen=True)
class Formula:
    """A written sum: its operands, and what they come to."""

    operands: tuple[Decimal, ...]
    value: Decimal

    def has_operands(self, held: Container[Decimal]) -> bool:
        """Whether each operand is among the numbers or says how many of a unit make another."""
        known = [one in held for one in self.operands]
        converts = [one in CONVERSIONS for one in self.operands]
        return any(known) and all(a or b for a, b in zip(known, converts, strict=True))


def find_formulas(text: str, numbers: Sequence[Quantity]) -> list[Formula]:
    """The sums that a text writes out with signs or words, products first.

    Args:
        text: a sentence.
        numbers: of it, in any order.
    """
    ordered = sorted(numbers, key=lambda one: one.start)
    found: list[Formula] = []
    run: list[tuple[str, Decimal]] = []
    for place, one in enumerate(ordered):
        sign = _read_sign(text[ordered[place - 1].end : one.start]) if place else ""
        if not sign:
            found += _reckon(run)
            run = []
        run.append((sign, one.value))
    return found + _reckon(run)


def read_sum(text: str, numbers: Sequence[Quantity]) -> Formula | None:
    """The one sum that a text is made of, which may have parentheses; None where it is no sum.

    Args:
        text: "3 × (450 - 320)".
        numbers: of it, in any order.
    """
    written, at = "", 0
    for one in sorted(numbers, key=lambda one: one.start):
        between = re.split(r"([()])", text[at : one.start])
        written += "".join(part if part in "()" else _read_sign(part) for part in between)
        written += f" {one.value} "
        at = one.end
    written += "".join(re.findall(r"[()]", text[at:]))
    try:
        tree = ast.parse(written.strip(), mode="eval").body
        value = _evaluate(tree)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError):
        return None
    operands = tuple(one.value for one in numbers)
    return Formula(operands, value) if len(operands) > 1 else None


def _evaluate(node: ast.expr) -> Decimal:
    """The value of a tree of numbers and the four operations.

    Raises:
        ValueError: there is anything else in it.
    """
    if isinstance(node, ast.BinOp) and type(node.op) in _RECKON:
        return _RECKON[type(node.op)](_evaluate(node.left), _evaluate(node.right))
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return Decimal(str(node.value))
    raise ValueError


def _read_sign(between: str) -> str:
    return next((sign for sign, one in _OPERATOR.items() if one.fullmatch(between)), "")


def _reckon(run: Sequence[tuple[str, Decimal]]) -> list[Formula]:
    if len(run) < 2:
        return []
    parts: list[Decimal] = []
    for sign, value in run:
        if sign == "*":
            parts[-1] *= value
        elif sign == "/":
            if not value:
                return []
            parts[-1] /= value
        else:
            parts.append(-value if sign == "-" else value)
    return [Formula(tuple(value for _, value in run), sum(parts, Decimal(0)))]
