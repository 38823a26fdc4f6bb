"""Criteria and judgements by what can be counted: words, numbers, sentences."""

import json
import re
from collections import Counter
from collections.abc import Sequence

from citations.markers import strip_markers
from models.extractive.candidates import find_content_terms
from models.extractive.question_type import asks_for_amount, asks_for_new
from prompts.choose_criteria import ChooseCriteriaPrompt
from prompts.judge_answer import JudgeAnswerPrompt
from text.language import detect_language

MAX_AGE_DAYS = 365
"""Age of the newest source where a question asks for what is new."""

_NUMBERS = {
    word: value
    for value, word in enumerate(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], start=2
    )
}
_COUNT_REQUEST = re.compile(
    rf"^\W*(?:please\s+)?(?:name|list|give(?:\s+me)?|which|what\s+are)\s+(?:the\s+)?"
    rf"({'|'.join(_NUMBERS)}|\d{{1,2}})\s+\w+",
    re.IGNORECASE,
)
_COMPARISON = re.compile(
    r"(?:differences?\s+between|compare)\s+(.{2,60}?)\s+(?:and|with|to)\s+(.{2,60}?)[?.]?$|"
    r"(.{2,60}?)\s+(?:vs\.?|versus)\s+(.{2,60}?)[?.]?$",
    re.IGNORECASE,
)
_LIST_SEPARATOR = re.compile(r",|;|、|，|\band\b|\bund\b|\bet\b|和|\n[-*]")


def choose_criteria(asked: ChooseCriteriaPrompt) -> str:
    """JSON of `Criteria`, by the words of the question."""
    question = asked.question
    counted, compared = _COUNT_REQUEST.search(question), _COMPARISON.search(question)
    count = None
    if counted:
        word = counted[1].casefold()
        # "FİVE" is matched, but no number: where case does not count, İ is a letter I for Python
        count = int(word) if word.isdecimal() else _NUMBERS.get(word)
    parts = [part.strip() for part in compared.groups() if part] if compared else []
    aspects = parts if all(parts) else []  # what is compared with nothing is no comparison
    return json.dumps(
        {
            "definitive": True,
            "max_age_days": MAX_AGE_DAYS if asks_for_new(question) else None,
            "count": count if count and count > 1 else None,
            "aspects": aspects,
        },
        ensure_ascii=False,
    )


def judge_answer(asked: JudgeAnswerPrompt) -> str:
    """JSON of `Judgement`: what a reader without understanding can tell."""
    answer = strip_markers(asked.answer)
    failing = ""
    if asked.criterion == "definitive" and asks_for_amount(asked.question):
        failing = "" if re.search(r"\d", answer) else "it holds no number"
    elif asked.criterion == "completeness":
        left = _find_missing_aspects(answer, asked.aspects)
        failing = f"it does not speak of {left[0]}" if left else ""
    elif asked.criterion == "plurality":
        things = 1 + len(_LIST_SEPARATOR.findall(answer)) + answer.count(". ")
        count = asked.count or 2
        failing = f"it names {things} at most" if things < count else ""
    reason = failing or "the words that it needs are there"
    improve = f"Look for more: {failing}." if failing else ""
    return json.dumps(
        {"passed": not failing, "reason": reason, "improve": improve}, ensure_ascii=False
    )


def _find_missing_aspects(answer: str, aspects: Sequence[str]) -> list[str]:
    """The aspects of which an answer has less than half the words that set them apart."""
    language = detect_language(answer)
    held = set(find_content_terms(answer, language))
    words = [set(find_content_terms(aspect, language)) for aspect in aspects]
    spread = Counter(word for some in words for word in some)
    own = [{word for word in some if spread[word] == 1} or some for some in words]
    return [
        aspect
        for aspect, some in zip(aspects, own, strict=True)
        if len(some & held) * 2 < len(some)
    ]
