"""Criteria and judgements by what can be counted: words, numbers, sentences."""

import json
import re

from models.extractive.answering import asks_for_amount
from models.extractive.reading import Asked
from models.extractive.sentences import content
from retrieval.analysis import detect_language
from retrieval.citations import without_marks

DAYS = 365
"""Age of the newest source where a question asks for what is new."""

_NEW = re.compile(
    r"\b(latest|newest|current(ly)?|today|right now|recent(ly)?|aktuell\w*|neueste\w*|heute|"
    r"actuel\w*|récent\w*|último|actual|reciente)\b|最新|目前|现在|最近|今年|最新の|現在",
    re.IGNORECASE,
)
_NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_COUNTED = re.compile(
    rf"^\W*(?:please\s+)?(?:name|list|give(?:\s+me)?|which|what\s+are)\s+(?:the\s+)?"
    rf"({'|'.join(_NUMBERS)}|\d{{1,2}})\s+\w+",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?:differences?\s+between|compare)\s+(.{2,60}?)\s+(?:and|with|to)\s+(.{2,60}?)[?.]?$|"
    r"(.{2,60}?)\s+(?:vs\.?|versus)\s+(.{2,60}?)[?.]?$",
    re.IGNORECASE,
)
_LISTED = re.compile(r",|;|、|，|\band\b|\bund\b|\bet\b|和|\n[-*]")


def choose_criteria(asked: Asked) -> str:
    """JSON of `Criteria`, by the words of the question."""
    question = asked.one("question")
    counted, compared = _COUNTED.search(question), _COMPARED.search(question)
    count = None
    if counted:
        word = counted[1].casefold()
        count = int(word) if word.isdecimal() else _NUMBERS.index(word) + 2
    aspects = [part for part in compared.groups() if part] if compared else []
    return json.dumps(
        {
            "definitive": True,
            "max_age_days": DAYS if _NEW.search(question) else None,
            "count": count if count and count > 1 else None,
            "aspects": aspects,
        },
        ensure_ascii=False,
    )


def judge_answer(asked: Asked) -> str:
    """JSON of `Judgement`: what a reader without understanding can tell."""
    answer = without_marks(asked.one("answer"))
    criterion = asked.one("criterion")
    failing = ""
    if criterion == "definitive" and asks_for_amount(asked.one("question")):
        failing = "" if re.search(r"\d", answer) else "it holds no number"
    elif criterion == "completeness":
        left = [aspect for aspect in asked.items("aspects") if not _speaks_of(answer, aspect)]
        failing = f"it does not speak of {left[0]}" if left else ""
    elif criterion == "plurality":
        things = 1 + len(_LISTED.findall(answer)) + answer.count(". ")
        count = int(asked.one("count") or 2)
        failing = f"it names {things} at most" if things < count else ""
    reason = failing or "the words that it needs are there"
    improve = f"Look for more: {failing}." if failing else ""
    return json.dumps(
        {"passed": not failing, "reason": reason, "improve": improve}, ensure_ascii=False
    )


def _speaks_of(answer: str, aspect: str) -> bool:
    language = detect_language(answer)
    wanted = set(content(aspect, language))
    return len(wanted & set(content(answer, language))) * 2 >= len(wanted)
