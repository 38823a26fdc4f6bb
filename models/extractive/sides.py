"""The things that a question compares, by the words around them: A vs B, A or B, A 和 B 的区别."""

import re

from models.extractive.candidates import find_content_terms

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


def find_sides(question: str, language: str) -> list[frozenset[str]]:
    """The things that a question sets against each other, two or three, as their terms.

    Returns:
        For each the terms that set it apart from the others; none where nothing is compared.
    """
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


def names_side(terms: frozenset[str], side: frozenset[str]) -> bool:
    """Whether what holds these terms speaks of a side: it has most of its words."""
    return 2 * len(terms & side) > len(side)


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


def _set_apart(names: list[str], language: str) -> list[frozenset[str]]:
    """The terms of each name without those of all; none where one of them has no other."""
    terms = [frozenset(find_content_terms(name, language)) for name in names if name.strip()]
    if len(terms) < 2:
        return []
    sides = [one - frozenset.intersection(*terms) for one in terms]
    return sides if all(sides) and len(set(sides)) == len(sides) else []
