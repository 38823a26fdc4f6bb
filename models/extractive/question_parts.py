"""What a question asks for, one thing after the other: "what does it cost, and how long ...?"."""

import re
from dataclasses import dataclass

from models.extractive.candidates import find_content_terms

LOOKED_AT = 1_000
"""Characters of a question that are read."""

MAX_SUBJECT_WORDS = 10
"""Words of a question's subject that stand with each of its parts."""

LISTED_ASPECTS = 3
"""Things that a request has to list to be taken apart: "a memo with costs, dates and risks"."""

_ASKING = (
    r"what|how|why|was|wie|warum|weshalb|comment|pourquoi|combien|qué|cómo|cuánt[oa]s?|por qué"
)
_RELATIVE = (
    r"wh(?:ich|o|om|ose|en|ere)|welche[mnrs]?|wer|wann|wo|quel(?:le)?s?|qui|quand|où|cuál(?:es)?|"
    r"quién(?:es)?|cuándo|dónde"
)
"""They ask, and join clauses as well: "the mayor, who ..."."""
_VERBS = r"do(?:es)?|did|is|are|was|were|can|may|should|will|has|have"
_AND = r"and|or|und|oder|et|ou|y|o"
_BEFORE = r"(?:(?:at|in|for|by|to|from|with|bei|mit|für|ab|à|de|en) )?"

_SENTENCE = re.compile(r"(?<=[?？.!。！])\s+|(?<=[？。！])")
_SPLIT = re.compile(
    rf",\s+(?={_BEFORE}(?:{_ASKING})\b)|,?\s+(?:{_AND})\s+(?={_BEFORE}(?:{_ASKING}|{_RELATIVE})\b)|"
    rf",\s+(?:(?:{_AND})\s+)?(?=(?:{_VERBS})\b)",
    re.IGNORECASE,
)
_SPLIT_LIST = re.compile(rf"{_SPLIT.pattern}|,\s+(?={_BEFORE}(?:{_RELATIVE})\b)", re.IGNORECASE)
_ASKS = re.compile(
    rf"{_BEFORE}(?:{_ASKING}|{_RELATIVE}|{_VERBS}|sind|ist|kann|darf|soll)\b", re.IGNORECASE
)
_ASPECTS = re.compile(
    r"\b(?:with|including|mit|samt|avec|con|incluyendo)\s+([^?.!]+)[.!]?$", re.IGNORECASE
)
_LIST = re.compile(rf",\s*(?:(?:{_AND})\s+)?|\s+(?:{_AND})\s+", re.IGNORECASE)
_ARTICLE = re.compile(
    r"^(?:an?|the|eine?[nr]?|der|die|das|une?|les?|la|el|l[ao]s)\s+", re.IGNORECASE
)
_ENDING = " \t\n?？.。!！,;:"


@dataclass(frozen=True)
class QuestionPart:
    """One thing that is asked for, and the words that say of what, "" where it says so itself."""

    text: str
    subject: str

    @property
    def query(self) -> str:
        """What is searched for it."""
        return f"{self.text}: {self.subject}" if self.subject else self.text


def split_question(question: str, language: str) -> list[QuestionPart]:
    """The things that a question asks for, in order; the question as a whole is one of one."""
    question = " ".join(question.split())[:LOOKED_AT]
    sentences = [one for one in _SENTENCE.split(question) if one.strip(_ENDING)]
    asking = [one for one in sentences if one.rstrip().endswith(("?", "？"))]
    texts: list[str] = []
    lead = ""
    for one in asking:
        head, found = _split_sentence(one)
        lead = lead or head
        texts += found
    for one in sentences:
        texts += [] if one in asking else _find_aspects(one)
    texts = _join_empty(texts, question, language) or [question.strip(_ENDING)]
    subject = _pick_words(lead or texts[0], language)
    alone = len(texts) == 1 and not lead
    return [
        QuestionPart(text, "" if alone or (not lead and place == 0) else subject)
        for place, text in enumerate(texts)
    ]


def _split_sentence(sentence: str) -> tuple[str, list[str]]:
    """What stands before a colon that a question follows, and the clauses that ask.

    Of "How do I set it up: which steps, which values?" it is the head that asks; the rest says what
    its answer is made of.
    """
    head, colon, rest = sentence.partition(": ")
    if colon and _ASKS.match(head):
        return "", _SPLIT.split(head)
    if colon and _ASKS.match(rest):
        return head, _SPLIT_LIST.split(rest)
    clauses = _SPLIT.split(sentence)
    return "", clauses if _ASKS.match(clauses[0]) else [sentence]


def _find_aspects(request: str) -> list[str]:
    """What a request lists: "Write a memo with costs, dates and risks."."""
    found = _ASPECTS.search(request)
    listed = [_ARTICLE.sub("", one.strip()) for one in _LIST.split(found[1])] if found else []
    return listed if len(listed) >= LISTED_ASPECTS else []


def _join_empty(texts: list[str], question: str, language: str) -> list[str]:
    """Clauses; one without a word of its own ("by whom", "when and") is a part of its neighbour."""
    joined: list[str] = []
    start: int | None = None
    for text in (one.strip(_ENDING) for one in texts):
        at = question.index(text)
        if find_content_terms(text, language):
            joined.append(question[at if start is None else start : at + len(text)])
            start = None
        elif joined:
            joined[-1] += f", {text}"
        elif start is None:
            start = at
    return joined


def _pick_words(text: str, language: str) -> str:
    """The first words of a text that name something."""
    words = [word.strip(_ENDING) for word in text.split()]
    return " ".join([one for one in words if find_content_terms(one, language)][:MAX_SUBJECT_WORDS])
