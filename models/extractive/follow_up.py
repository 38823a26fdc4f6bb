"""What a reader wants of a report, told by the words of the message."""

import json
import re

from models.extractive.candidates import find_content_terms
from models.extractive.small_talk import detect_small_talk, is_follow_up
from prompts.route_follow_up import RouteFollowUpPrompt
from text.language import detect_language

MIN_WORDS = 2
"""Words of its own with which a question stands alone: the report's sources are searched for it."""

_QUESTION = re.compile(
    r"[?？]\s*$|^\W*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|can|"
    r"could|should|has|have|wer|wen|wem|was|wann|wo|welche\w*|warum|wieso|wie|qui|que|quoi|quand|où|"
    r"quel\w*|pourquoi|comment|quién|qué|cuándo|dónde|cuál\w*|cuánt\w*|por qué|cómo)\b|"
    r"吗|什么|为什么|怎么|多少|谁|哪",
    re.IGNORECASE,
)
_POLITELY = re.compile(
    r"^\W*(?:(?:can|could|would|will) you|kannst du|könntest du|können sie|könnten sie|peux-tu|"
    r"pouvez-vous|pourriez-vous|puedes|puede|podrías|podría)\b"
    r"(?:\s*,?\s*(?:please|bitte|por favor))?",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:new|another|separate|own)\s+report\b|\b(?:neuen|weiteren|eigenen)\s+bericht\b|"
    r"\b(?:nouveau|autre)\s+rapport\b|\b(?:nuevo|otro)\s+informe\b|新(?:的)?报告|另一份报告",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    r"\b(?:translat\w*|übersetz\w*|tradui\w*|traduc\w*)\b|翻译|"
    r"\b(?:in|into|auf|en)\s+(?:english|german|french|spanish|italian|portuguese|chinese|japanese|"
    r"dutch|englisch|deutsch|französisch|spanisch|italienisch|anglais|allemand|français|espagnol|"
    r"inglés|alemán|francés|español)\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:add|include|cover|mention|expand|elaborate|longer|more|update|compare|detail\w*|"
    r"füge|ergänz\w*|erwähn\w*|nenn\w*|länger|ausführlich\w*|mehr|vergleich\w*|aktualisier\w*|"
    r"ajout\w*|mentionn\w*|développ\w*|plus long\w*|compar\w*|añad\w*|agreg\w*|inclu\w*|"
    r"menciona\w*|amplía\w*|actualiza\w*)\b|添加|增加|加上|补充|更新|比较|更长|详细",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"\b(?:short\w*|brief\w*|concise\w*|tight\w*|condense\w*|simpl\w*|rewrite|rephrase|reword|"
    r"reorder|tables?|bullets?|lists?|tone|formal\w*|remove|drop|omit|delete|cut|leave out|without|"
    r"kürz\w*|knapp\w*|einfacher|umformulier\w*|tabelle\w*|liste\w*|streich\w*|entfern\w*|"
    r"weglassen|ohne|raccourci\w*|court\w*|simplifi\w*|tableau\w*|supprim\w*|enlèv\w*|sans|"
    r"acort\w*|cort[oa]s?|simplific\w*|tabla\w*|elimin\w*|quit\w*)\b|短|精简|简短|表格|列表|删|去掉",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"\b(?:sections?|abschnitt\w*|kapitel|sección|secciones)\s+(\d{1,2})\b|第\s*(\d{1,2})\s*(?:节|部分)",
    re.IGNORECASE,
)
_SUMMARY = re.compile(r"\b(?:summary|zusammenfassung|résumé|resumen)\b|摘要", re.IGNORECASE)


def route_follow_up(asked: RouteFollowUpPrompt) -> str:
    """Say what a message wants, as JSON of `FollowUp`; what is no order is a question.

    One with no more than a word of its own ("and its limits?") is joined to the report's question.
    """
    message = " ".join(asked.message.split())
    kind = _find_kind(message)
    numbers = [] if kind in ("question", "report") else _find_sections(asked, message)
    if kind == "research" and not numbers:
        numbers = [len(asked.sections)]
    request = message[:1400]
    language = detect_language(message)
    if kind == "question" and is_follow_up(message, language, MIN_WORDS):
        request += f" ({' '.join(asked.question.split())[:500]})"
    found = {"kind": kind, "section_numbers": numbers, "request": request}
    return json.dumps(found, ensure_ascii=False)


def _find_kind(message: str) -> str:
    if detect_small_talk(message) or _OWN.search(message):
        return "report"
    order = _POLITELY.sub("", message)
    if order == message and _QUESTION.search(message):
        return "question"
    if _LANGUAGE.search(order):
        return "report"
    if _FORM.search(order):
        return "edit"
    return "research" if _MORE.search(order) else "question"


def _find_sections(asked: RouteFollowUpPrompt, message: str) -> list[int]:
    """The sections that a message names, by their numbers or by the words of their titles."""
    named = {int(one[1] or one[2]) for one in _SECTION.finditer(message)}
    if named:
        return sorted(named)
    if _SUMMARY.search(message):
        return [0]
    language = detect_language(asked.question)
    said = set(find_content_terms(message, language))
    titles = [set(find_content_terms(one.text, language)) for one in asked.sections]
    common = set.intersection(*titles) if len(titles) > 1 else set[str]()
    return [n for n, own in enumerate(titles, start=1) if own - common and own - common <= said]
