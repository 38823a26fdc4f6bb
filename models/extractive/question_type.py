"""What a question asks for, by its words: which of them an answer must hold, which number."""

import re

from models.extractive.candidates import find_content_terms
from text.names import find_names
from text.tokens import tokenise

CLASS_WEIGHT = 0.15
"""What a word counts that says of which kind the answer is ("which town"): answers seldom repeat
it. Any other counts 1."""

_ASKS_AMOUNT = re.compile(
    r"\b(how (many|much|long|old|far|tall|high|large|big|heavy|fast|often)|what (year|date)|"
    r"which year|in what year|wie ?viele?|wie (lange|hoch|alt|weit|groß)|wann|combien|"
    r"cuánt[oa]s?|cuándo|quant[oiae]|сколько)\b|多少|几[个年月日次]|何时|哪[一]?年|"
    r"什么时候|いつ|いくつ|何[年人個回]|"
    r"(?:^\W*|\b(?:and|since|until|by|et|depuis|de|e|da|desde|и|с)\s+)(?:when|quand|quando|когда)\b",
    re.IGNORECASE,
)
"""Of "when", only what asks: not what begins a clause, as in "what happens when"."""
_ASKS_NEW = re.compile(
    r"\b(latest|newest|current(ly)?|today|right now|now|at present|these days|recent(ly)?|"
    r"derzeit|zurzeit|aktuell\w*|neueste\w*|heute|"
    r"actuel\w*|récent\w*|último|actual|reciente)\b|最新|目前|现在|最近|今年|最新の|現在",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"\b(the names? of|called|named|the (person|people|one|man|woman) (?=who|that)|heißt|heißen|"
    r"namens)\b|名字|名称|叫什么|哪[一]?[座条家个位届种]\w\w",
    re.IGNORECASE,
)
_CLASS = re.compile(
    r"\b(?:which|what|welche[mnrs]?|quel(?:le)?s?|qué|cuál)\s+(\w+)|"
    r"\bthe\s+(\w+)\s+(?:where|who)\b|"
    r"\b(?:der|die|das|dem|den)\s+(\w+),\s+(?:\w{2,3}\s+)?(?:der|die|das|dem|den|deren|dessen)\b",
    re.IGNORECASE,
)
_MEASURES = r"long|tall|high|deep|wide|far|old|heavy|large|big|lang|hoch|tief|breit|alt|schwer|groß"
_OF_WHAT = re.compile(
    rf"\b(?i:how\s+many|wie\s?viele?)\s+(\w+)|\b(?i:how|wie)\s+(?:{_MEASURES})\s+\w+\s+"
    r"(?:the|der|die|das)\s+(\w+)(?=,|\s+[a-z])",  # not in "the river Elbe", where it is the name's
)
_UNITS = {
    re.compile(r"\bhow (?:long|far)\b|\bwie (?:lang|weit)|多[长远]", re.IGNORECASE): re.compile(
        r"\d\s?(?:k?m|kilomet\w+|met(?:er|re)s?|miles?|feet|ft|公里|千米|米)(?![a-z])"
    ),
    re.compile(r"\b(?:weigh|heavy|wiegt|schwer)\b|多重", re.IGNORECASE): re.compile(
        r"\d\s?(?:k?g|grams?|kilo(?:gram\w*)?s?|tons?|tonnes?|pounds?|lbs?|Gramm|公斤|克)(?![a-z])"
    ),
}

_KINDS = {
    "date": (
        re.compile(
            r"\b(?:histor\w+|dates?|timeline|chronolog\w+|when|since|deadlines?|geschichte|wann|"
            r"fristen?|verlauf|chronik|histoire|quand|historia|cuándo|plazos?)\b|历史|何时|歴史|いつ",
            re.IGNORECASE,
        ),
        re.compile(r"\b(?:1[5-9]|20)\d\d\b|[12]\d{3}\s?[年년]"),
    ),
    "money": (
        re.compile(
            r"\b(?:costs?|prices?|pa(?:y|id)|fares?|fees?|expens\w+|cheap\w*|budget|kost\w+|"
            r"preis\w*|gebühr\w*|bezahl\w*|coût\w*|prix|tarifs?|cuest\w+|precios?)\b|价格|费用|多少钱|費用|値段",
            re.IGNORECASE,
        ),
        re.compile(
            r"[€$£¥]\s?\d|\d\s?[€$£¥]|"
            r"\d[\d.,]*\s(?:(?:million|billion|Millionen) )?(?:euros?|dollars?|"
            r"pounds?|crowns?|cents?|francs?|Franken|Kronen|kr)\b|\d[万亿]?[元円]",
            re.IGNORECASE,
        ),
    ),
    "time": (
        re.compile(
            r"\bhow (?:long|soon|fast)\b|\bwie (?:lange?|schnell|bald)\b|combien de temps|"
            r"cuánto (?:tiempo|dura)|多久|多长时间|どのくらいの時間",
            re.IGNORECASE,
        ),
        re.compile(
            r"\d[\d.,]*\s(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|Sekunden|Minuten|"
            r"Stunden?|Tagen?|Wochen?|Monaten?|Jahren?|heures?|jours?|mois|ans|horas?|días?|meses|"
            r"años?)\b|\d\s?(?:小时|天|分钟|時間|分|日)",
            re.IGNORECASE,
        ),
    ),
}
"""Kinds of things that a question asks for, and how they look in an answer, which seldom repeats
the word: "how much does it cost", "12 euro"."""


def find_asked_kinds(question: str) -> frozenset[str]:
    """The kinds of things that a question asks for: money, a date, a time."""
    return frozenset(f"({kind})" for kind, (asks, _) in _KINDS.items() if asks.search(question))


def find_told_kinds(text: str) -> frozenset[str]:
    """The kinds of things that a text tells, by the same names, which are like no term."""
    return frozenset(f"({kind})" for kind, (_, told) in _KINDS.items() if told.search(text))


def asks_for_amount(question: str) -> bool:
    """Whether an answer must hold a number: an amount, a date, a year."""
    return bool(_ASKS_AMOUNT.search(question))


def asks_for_new(question: str) -> bool:
    """Whether an answer must be new: the latest version, the current mayor."""
    return bool(_ASKS_NEW.search(question))


def weigh_terms(question: str, language: str) -> dict[str, float]:
    """The terms that an answer holds, and what each counts.

    Words that only frame the question ("the name of", "latest") are none of them.
    """
    asked = _ASKS_NEW.sub(" ", _FRAME.sub(" ", question))
    kinds = {term for found in _CLASS.findall(asked) for term in tokenise("".join(found), language)}
    return {
        term: CLASS_WEIGHT if term in kinds else 1.0 for term in find_content_terms(asked, language)
    }


def find_counted_terms(question: str, language: str) -> frozenset[str]:
    """The terms of what is counted or measured, which stand beside the number of an answer."""
    return frozenset(
        find_content_terms(" ".join(map("".join, _OF_WHAT.findall(question))), language)
    )


def find_measure_terms(question: str, text: str, language: str) -> set[str]:
    """The terms that ask for a measure ("how long") which a text gives by its unit ("12 km")."""
    asked = [asks.search(question) for asks, unit in _UNITS.items() if unit.search(text)]
    return {term for found in asked if found for term in find_content_terms(found[0], language)}


def find_question_names(question: str, language: str) -> list[str]:
    """The names in a question, with the numbers that follow them: Model 240 is one name."""
    made: list[str] = []
    for one in find_names(question, language):
        if made and f"{made[-1]} {one.text}" in question:
            made[-1] += f" {one.text}"
        else:
            made.append(one.text)
    return made
