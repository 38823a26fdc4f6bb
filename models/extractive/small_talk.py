"""The question and the small talk around it."""

import json
import re
import unicodedata

from models.extractive.candidates import find_content_terms
from models.extractive.phrases import REPLY, SMALL_TALK, format_phrase
from models.extractive.question_parts import split_question
from prompts.reformulate import ReformulatePrompt
from prompts.reply import ReplyPrompt
from retrieval.passages.pool import deduplicate_questions
from text.language import detect_language

MAX_QUERIES = 5

MIN_ASIDE = 4
"""Words beside the one thing that is asked, from which on that is searched alone as well."""

_MIN_WORDS = 3  # a question with fewer words of its own leans on the one before


def reformulate(asked: ReformulatePrompt) -> str:
    """Put the question on its own feet, as JSON of `Reformulation`.

    A follow-up with hardly a word of its own ("and its limits?") is joined to the last question
    that had some: both are searched, nothing is invented. A question that asks for several things
    is searched for each of them as well, since few passages hold the words of all.
    """
    question = " ".join(asked.question.split())
    if greeting := detect_small_talk(question):
        return _dump_json({"question": question, "language": greeting, "queries": []})
    language = detect_language(question)
    earlier = [
        turn.text for turn in asked.conversation if turn.speaker == "user" and turn.text.strip()
    ]
    earlier = [text for text in reversed(earlier) if not detect_small_talk(text)]
    standing = question
    if earlier and is_follow_up(question, language):
        before = next((text for text in earlier if not is_follow_up(text, language)), earlier[0])
        standing = f"{question} ({' '.join(before.split())[:500]})"
    parts = _list_parts(standing, language) if standing == question else []
    texts = deduplicate_questions([standing[:500], *(one[:500] for one in parts)])
    queries = [
        {"query": one, "type": "resource", "intent": "", "priority": 1}
        for one in texts[:MAX_QUERIES]
    ]
    return _dump_json({"question": standing[:2000], "language": language, "queries": queries})


def _list_parts(question: str, language: str) -> list[str]:
    """What is searched for each thing that a question asks for; none where that is the question."""
    parts = [one.query for one in split_question(question, language)]
    terms = [set(find_content_terms(one, language)) for one in (question, *parts)]
    is_whole = len(parts) == 1 and len(terms[0] - terms[1]) < MIN_ASIDE
    return [] if is_whole else parts


def reply(asked: ReplyPrompt) -> str:
    """Answer small talk in its language."""
    language = detect_small_talk(asked.question) or detect_language(asked.question)
    return format_phrase(REPLY, language)


def detect_small_talk(text: str) -> str:
    """The language of greetings and thanks; "" of a text that says anything else."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).casefold())
    languages = [SMALL_TALK.get(word, "") for word in words] or ["en"]
    return languages[0] if all(languages) else ""


def is_follow_up(question: str, language: str, least: int = _MIN_WORDS) -> bool:
    """Whether a question has fewer words of its own than it needs to stand alone."""
    return len(set(find_content_terms(question, language))) < least


def _dump_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
