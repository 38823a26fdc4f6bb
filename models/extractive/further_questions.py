"""Further questions, out of the sources' own headings and titles."""

import re
from collections.abc import Iterator, Sequence

from models.extractive.candidates import find_content_terms, strip_markup
from models.extractive.phrases import FURTHER_QUESTION, OPEN_QUESTIONS, format_phrase
from prompts.template import SourceText
from retrieval.search.word_ranker import score_by_words
from schema.plan import MOST_FURTHER

MIN_QUESTIONS = 3

MAX_SUBJECT, MAX_SUBJECT_WORDS = 90, 12
"""Characters and words of a heading that is a subject; a longer one is a sentence."""

MIN_SUBJECT_TERMS = 2
"""Words that a heading has to have to name its subject without the title of its page."""

SAME_SHARE = 0.6
"""Share of common words (Jaccard) from which a subject is that of another question."""

_QUESTION_END = re.compile(r"[?？؟]\s*$")
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix|kapitel|abschnitt|teil|anhang|chapitre|partie|annexe|"
    r"capítulo|sección|parte|anexo|step|schritt|étape|paso)\s+[\dIVX]+[.:)\s–-]*|"
    r"第[\d一二三四五六七八九十]+[章节節部]\s*|[\dA-Z]{1,3}(?:\.\d{1,3})*[.)]\s+|\d+(?:\.\d+)*\s+)+",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"(?:introduction|overview|summary|conclusions?|abstract|background|contents|table of contents|"
    r"index|notes?|remarks?|examples?|usage|references|bibliography|see also|further reading|"
    r"external links|parameters|options|synopsis|description|returns?|see|changes|changelog|"
    r"license|copyright|legal notice|navigation|menu|search|home|more|details|miscellaneous|"
    r"other|general|features?|limitations|compatibility|output|input|results?|discussion|"
    r"acknowledge?ments?|appendix|implementation|installation|requirements|faq|authors?|preface|"
    r"foreword|history|getting started|"
    r"einleitung|einführung|überblick|übersicht|zusammenfassung|fazit|inhalt(?:sverzeichnis)?|"
    r"anmerkung(?:en)?|hinweise?|beispiele?|literatur|quellen|siehe auch|weblinks|einzelnachweise|"
    r"aperçu|résumé|sommaire|exemples?|remarques?|références|voir aussi|notes et références|"
    r"introducción|resumen|conclusión|conclusiones|ejemplos?|notas?|referencias|véase también|"
    r"índice|contenidos?|简介|介绍|概述|概览|摘要|总结|结论|目录|参考文献|参见|另见|外部链接|"
    r"示例|例子|备注|注意|はじめに|概要|まとめ|目次|参考文献|関連項目)",
    re.IGNORECASE,
)
"""Headings that name a part of any page and no subject."""


def make_further_questions(
    question: str, language: str, covered: Sequence[str], sources: Sequence[SourceText]
) -> list[str]:
    """Ask after what an outline leaves out.

    A heading that is a question stands as it is; of another one it is asked what else the sources
    say. Where there are too few, it is asked what the sources leave open of the question.

    Args:
        question: what the report answers.
        language: of the question.
        covered: the titles and the questions of the outline.
        sources: what the outline was made from.
    """
    named = _rank(question, language, sources)
    subjects = list(_choose_new(named, [question, *covered], language))[:MOST_FURTHER]
    made = [
        one if _QUESTION_END.search(one) else format_phrase(FURTHER_QUESTION, language, one)
        for one in subjects
    ]
    for phrases in OPEN_QUESTIONS:
        if len(made) < MIN_QUESTIONS:
            subject = _QUESTION_END.sub("", _tidy(question))[:200]
            made.append(format_phrase(phrases, language, subject))
    return made


def _choose_new(subjects: Sequence[str], covered: Sequence[str], language: str) -> Iterator[str]:
    """The subjects that name something which is not covered, each once."""
    taken = [frozenset(find_content_terms(one, language)) for one in covered]
    known = frozenset[str]().union(*taken)
    for subject in subjects:
        terms = frozenset(find_content_terms(subject, language))
        if terms <= known or any(_is_same(terms, other) for other in taken):
            continue
        taken.append(terms)
        yield subject


def _rank(question: str, language: str, sources: Sequence[SourceText]) -> list[str]:
    """The subjects of headings, then of titles, by how well what stands below them fits."""
    below = [
        (_name_in_full(heading, source.title, language), text)
        for source in sources
        for heading, text in zip(source.headings, source.passages, strict=True)
    ]
    titled = [(source.title, "\n".join(source.passages)) for source in sources]
    named: dict[str, None] = {}
    for group in (below, titled):
        subjects = [_read_subject(heading) for heading, _ in group]
        texts = [f"{heading}\n{text}" for heading, text in group]
        scores = score_by_words(question, texts, language)
        ranked = sorted(zip(subjects, scores, strict=True), key=lambda one: -one[1])
        named |= dict.fromkeys(one for one, score in ranked if score and _names_subject(one))
    return list(named)


def _name_in_full(heading: str, title: str, language: str) -> str:
    """A heading, below its page's title where it names too little by itself."""
    subject = _read_subject(heading)
    whole = _GENERAL.fullmatch(subject) or title.casefold() in heading.casefold()
    short = len(find_content_terms(subject, language)) < MIN_SUBJECT_TERMS
    if not subject or whole or not short:
        return heading
    return "" if _QUESTION_END.search(subject) else f"{title}: {subject}"


def _read_subject(heading: str) -> str:
    """A heading without its number and markup."""
    return _NUMBERING.sub("", _tidy(strip_markup(heading))).strip(" .:–—-")


def _names_subject(text: str) -> bool:
    """Whether a heading names something: no part of any page, no letter of an index, no code."""
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return (
        3 <= len(text) <= MAX_SUBJECT
        and len(text.split()) <= MAX_SUBJECT_WORDS
        and letters >= 0.7 * len(text)
        and not (text[0].islower() and " " not in text)
        and text[-1] not in ",;:（("
        and text.count("(") == text.count(")")
        and not _GENERAL.fullmatch(text)
    )


def _is_same(first: frozenset[str], second: frozenset[str]) -> bool:
    return len(first & second) >= SAME_SHARE * max(1, len(first | second))


def _tidy(text: str) -> str:
    return " ".join(text.split())
