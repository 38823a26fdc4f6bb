"""The things that a question compares, by the words around them: A vs B, A or B, A 和 B 的区别."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from models.extractive.candidates import find_content_terms
from text.tokens import tokenise

MAX_WORDS = 5
"""Words of the name of a thing."""

LOOKED_AT = 500
"""Characters of a question in which they are looked for: the patterns cost its square."""

_BETWEEN = re.compile(
    r"\b(?:between|zwischen|entre|tra|fra|tussen|между)\s+(.+?)\s+"
    r"(?:and|und|et|y|e|en|и)\s+([^?？.,;]+)",
    re.IGNORECASE,
)
_COMPARE = re.compile(
    r"\b(?:compar(?:e|es|ing|ison of|er|ez|aison (?:de|entre)|ar|a|ación (?:de|entre))|"
    r"vergleich(?:e|en|st)?(?: von)?)\s+"
    r"(.+?)\s+(?:and|with|to|und|mit|et|avec|à|y|con|a)\s+([^?？.,;]+)",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"([^?？.,;:]+?)[\s,]+(?:vs\.?|versus|compared (?:to|with)|as opposed to|rather than|"
    r"(?:better|worse|faster|slower|cheaper|safer) than|im Vergleich (?:zu[mr]?|mit)|gegenüber|"
    r"par rapport (?:à|aux?)|comparée?s? (?:à|aux?)|frente al?|en comparación con|"
    r"comparad[oa]s? con)\s+"
    r"([^?？.,;]+)",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:which|better|best|should|choose|prefer|besser|welche[mnrs]?|soll\w*|wählen|lieber|mieux|"
    r"quel(?:le)?s?|choisir|faut-il|dois-je|mejor|elegir|cuál|debo|conviene)\b",
    re.IGNORECASE,
)
_OR = re.compile(r"([^?？.,;:]+?),?\s+(?:or|oder|ou|o)\s+([^?？.,;]+)", re.IGNORECASE)
_HAN = (
    re.compile(
        r"([^\s，。？?：]{1,16}?)\s*[和与與跟同及]\s*([^\s，。？?的]{1,16}?)\s*"
        r"(?:之间|之間)?的?(?:区别|區別|差[别異异]|不同|比较|比較|对比|對比|优劣|優劣)"
    ),
    re.compile(
        r"(?:比较|比較|对比|對比)(?:一下)?([^\s，。？?：]{1,16}?)\s*[和与與跟同及]\s*([^\s，。？?的]{1,16})"
    ),
    re.compile(
        r"([^\s，。？?：]{1,16}?)\s*(?:还是|還是|相比|vs\.?|VS\.?|对比)\s*([^\s，。？?]{1,16})"
    ),
)
_HAN_FRAME = re.compile(r"^(?:请问|應該|应该|我们|我|该|用|选择|选|使用|在|对于|什么是)+")
_HAN_LETTER = re.compile(r"[\u3400-\u9fff]")
_LIST = re.compile(r",\s*|、|\s+(?:and|or|und|oder|et|ou|y|o|vs\.?)\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\s,;:()“”\"]+")


class Sentence(Protocol):
    """What is asked whether it names a side: a text, and its terms."""

    @property
    def text(self) -> str:
        """As it stands."""
        ...

    @property
    def terms(self) -> frozenset[str]:
        """Those without its function words."""
        ...


Naming = TypeVar("Naming", bound=Sentence)


@dataclass(frozen=True)
class Side:
    """A thing that is compared: its name as terms in order, and those that no other name has."""

    name: tuple[str, ...]
    own: frozenset[str]


def find_sides(question: str, language: str) -> list[Side]:
    """The things that a question sets against each other, two or three; none where it does not."""
    question = question[:LOOKED_AT]
    for one in _HAN if _HAN_LETTER.search(question) else ():
        if found := one.search(question):
            names = [_HAN_FRAME.sub("", name) for name in found.groups()]
            if sides := _set_apart(names, language):
                return sides
    patterns = [_BETWEEN, _AGAINST, _COMPARE, *([_OR] if _CHOICE.search(question) else [])]
    for one in patterns:
        if found := one.search(question):
            before, after = found.groups()
            names = [*_LIST.split(before), *_LIST.split(after)]
            if one in (_AGAINST, _OR):
                names = [_take_name(before, language, last=True), *_LIST.split(after)]
            names = [_take_name(name, language, last=False) for name in names]
            if sides := _set_apart(names[:3], language):
                return sides
    return []


def select_naming(sentences: Sequence[Naming], side: Side, language: str) -> list[Naming]:
    """The sentences that speak of a side: with its whole name, else with most of its words."""
    whole = [one for one in sentences if _has_run(tokenise(one.text, language), side.name)]
    return whole or [
        one
        for one in sentences
        if one.terms & side.own and 2 * len(one.terms & {*side.name}) > len({*side.name})
    ]


def _has_run(terms: Sequence[str], run: tuple[str, ...]) -> bool:
    return any(tuple(terms[at : at + len(run)]) == run for at in range(len(terms) - len(run) + 1))


def _take_name(text: str, language: str, *, last: bool) -> str:
    """The first or last words of a text, up to a function word: what a thing is called."""
    words = _WORD.findall(text)
    taken: list[str] = []
    for word in reversed(words) if last else words:
        if len(taken) == MAX_WORDS or (taken and not find_content_terms(word, language)):
            break
        if find_content_terms(word, language):
            taken.append(word)
    return " ".join(reversed(taken) if last else taken)


def _set_apart(names: list[str], language: str) -> list[Side]:
    """The names by their terms; none where one of them is in another."""
    terms = [tuple(find_content_terms(name, language)) for name in names if name.strip()]
    if len(terms) < 2:
        return []
    shared = frozenset.intersection(*map(frozenset, terms))
    sides = [Side(one, frozenset(one) - shared) for one in terms]
    apart = all(side.own for side in sides) and len(set(sides)) == len(sides)
    return sides if apart else []
