"""Criteria and judgements by what can be counted: words, numbers, sentences."""

import json
import re
from collections import Counter
from collections.abc import Sequence

from models.extractive.asking import asks_for_amount, asks_for_new
from models.extractive.reading import Asked
from models.extractive.sentences import content
from retrieval.citations import without_marks
from retrieval.language import detect_language

DAYS = 365
"""Age of the newest source where a question asks for what is new."""

_NUMBERS = {
    word: value
    for value, word in enumerate(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], start=2
    )
}
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
        # "FİVE" is matched, but no number: where case does not count, İ is a letter I for Python
        count = int(word) if word.isdecimal() else _NUMBERS.get(word)
    aspects = [part for part in compared.groups() if part] if compared else []
    return json.dumps(
        {
            "definitive": True,
            "max_age_days": DAYS if asks_for_new(question) else None,
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
        left = _left_out(answer, asked.items("aspects"))
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


def _left_out(answer: str, aspects: Sequence[str]) -> list[str]:
    """The aspects of which an answer has less than half the words that set them apart."""
    language = detect_language(answer)
    held = set(content(answer, language))
    words = [set(content(aspect, language)) for aspect in aspects]
    spread = Counter(word for some in words for word in some)
    own = [{word for word in some if spread[word] == 1} or some for some in words]
    return [
        aspect
        for aspect, some in zip(aspects, own, strict=True)
        if len(some & held) * 2 < len(some)
    ]
