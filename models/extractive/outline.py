"""Outlines, out of the sources' own titles, headings and key phrases."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from typing_extensions import TypedDict

from models.extractive.candidates import find_content_terms
from models.extractive.further_questions import make_further_questions
from models.extractive.orders import boasts
from models.extractive.question_parts import QuestionPart, split_question
from prompts.outline import OutlinePrompt
from prompts.template import SourceText
from retrieval.search.word_ranker import score_by_words
from text.language import detect_language
from text.tokens import content_weight, tokenise

QUESTIONS_PER_SECTION = 4

SECTION_WORDS = 350
"""Of each of several sections: a writer has more to say of what it reads than its sentences, and
of these the further ones speak less of the question."""

HEADINGS_OF_A_PART = 2
"""Headings of the sources that a section asks for, beside what the question itself asks."""

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_HAN = re.compile(r"[\u3400-\u9fff]{2,}")


@dataclass
class _Topic:
    """Something that the sources speak of: a title with the subjects under it."""

    title: str
    subjects: list[str] = field(default_factory=list)
    score: float = 0.0


class _Section(TypedDict):
    """A section as the outline's JSON has it."""

    title: str
    questions: list[str]


def make_outline(asked: OutlinePrompt) -> str:
    """Plan a report, as JSON of `Outline`.

    What a question asks for one after the other are its first sections. The rest are the best
    matching documents, and their questions the headings found there; where there are too few
    documents the headings become sections, and key phrases their questions. A document that none
    asks for is asked for in the nearest section that has room. What the sections leave out are the
    further questions.
    """
    question = asked.question
    language = asked.language or detect_language(question)
    sections = _plan_sections(asked, language)
    covered = [text for one in sections for text in (one["title"], *one["questions"])]
    further = make_further_questions(question, language, covered, asked.sources)
    words = SECTION_WORDS if len(sections) > 1 else 0  # the usual length of one alone
    planned = [{**one, "words": words} for one in sections]
    made = {"title": _make_title(question), "sections": planned, "further": further}
    return json.dumps(made, ensure_ascii=False)


def _plan_sections(asked: OutlinePrompt, language: str) -> list[_Section]:
    """So many sections as are asked for."""
    question, wanted = asked.question, asked.sections
    topics = _find_topics(asked.sources, question, language)
    topics = [one for one in topics if not boasts(one.title, question)] or topics
    if wanted == 1:
        sections = [_plan_single_section(topics, question)]
    else:
        sections = _plan_parts(split_question(question, language), topics, wanted, language)
        named = [topic.title for topic in topics]
        left = wanted - len(sections)
        if len(topics) < left:
            topics = _split_topics(topics, asked.sources, question, language)
        taken = {one["title"].casefold() for one in sections}
        topics = [one for one in topics if one.title[:200].casefold() not in taken]
        sections += [_plan_section(topic, question) for topic in topics[:left]]
        _share_out(named, sections, language)
    while len(sections) < wanted:
        sections.append(
            _plan_section(_Topic(f"{_make_title(question)} ({len(sections) + 1})"), question)
        )
    return sections


def find_key_phrases(texts: Sequence[str], language: str, count: int) -> list[str]:
    """Phrases that the texts repeat: runs of words between function words, or of Han characters.

    Returns:
        At most `count` phrases, most telling first; none inside another.
    """
    found: Counter[str] = Counter()
    for text in texts:
        found.update(set(_find_runs(text, language)))
        for run in _HAN.findall(text):
            grams = (run[i : i + n] for n in (4, 3, 2) for i in range(len(run) - n + 1))
            found.update(g for g in grams if not _lacks_content(g, language))
    ranked = sorted(found, key=lambda p: (-found[p] * (len(p) ** 0.5), p))
    chosen: list[str] = []
    for candidate in ranked:
        if not any(_is_overlapping(candidate.casefold(), other.casefold()) for other in chosen):
            chosen.append(candidate)
        if len(chosen) == count:
            break
    return chosen


def _find_runs(text: str, language: str) -> Iterable[str]:
    """Runs of two or three content words."""
    for clause in re.split(r"[.,;:!?()\[\]{}|#*`\"“”\n]", text):
        run: list[str] = []
        for word in [*_WORD.findall(clause), ""]:
            if word and not _HAN.search(word) and not _lacks_content(word, language):
                run.append(word)
                continue
            if 2 <= len(run) <= 3:
                yield " ".join(run)
            run = []


def _is_overlapping(first: str, second: str) -> bool:
    """Whether one phrase holds the other, or two runs of Han characters overlap at their ends."""
    if first in second or second in first:
        return True
    return bool(_HAN.fullmatch(first)) and (first[0] == second[-1] or first[-1] == second[0])


def _lacks_content(text: str, language: str) -> bool:
    return all(content_weight(term, language) < 1 for term in tokenise(text, language))


def _find_topics(sources: Sequence[SourceText], question: str, language: str) -> list[_Topic]:
    """One topic a document, best first."""
    titles = score_by_words(question, [source.title for source in sources], language)
    bodies = score_by_words(question, ["\n".join(source.passages) for source in sources], language)
    topics = [
        _Topic(
            title=source.title or next((h for h in source.headings if h), ""),
            subjects=_drop_duplicates(h for h in source.headings if h and h != source.title),
            score=title / (max(titles) or 1) + body / (max(bodies) or 1),
        )
        for source, title, body in zip(sources, titles, bodies, strict=True)
    ]
    named = [topic for topic in topics if topic.title]
    return _drop_duplicate_topics(sorted(named, key=lambda topic: -topic.score))


def _split_topics(
    topics: Sequence[_Topic], sources: Sequence[SourceText], question: str, language: str
) -> list[_Topic]:
    """More, smaller topics: every heading, then key phrases, best first."""
    texts = [text for source in sources for text in source.passages]
    headings = _drop_duplicates(subject for topic in topics for subject in topic.subjects)
    names = _drop_duplicates([*headings, *find_key_phrases(texts, language, 12)])
    ranked = sorted(
        zip(names, score_by_words(question, names, language), strict=True),
        key=lambda pair: -pair[1],
    )
    single = [
        _Topic(name, [f"{name}: {topic.title}" for topic in topics[:2]]) for name, _ in ranked
    ]
    return _drop_duplicate_topics(single) or list(topics)


def _plan_single_section(topics: Sequence[_Topic], question: str) -> _Section:
    """One section over everything: the best subjects of the best documents."""
    best = [_phrase_question(t, t.subjects[0]) if t.subjects else t.title for t in topics[:4]]
    return _limit_questions(_make_title(question), [question, *best])


def _plan_parts(
    parts: Sequence[QuestionPart], topics: Sequence[_Topic], wanted: int, language: str
) -> list[_Section]:
    """A section for each thing that is asked for, the last for all that are left; none for one.

    Beside that its questions are the headings of the sources that speak of it.
    """
    if len(parts) < 2:
        return []
    groups = [[one] for one in parts[: wanted - 1]] + [list(parts[wanted - 1 :])]
    named = [_phrase_question(topic, one) for topic in topics for one in topic.subjects]
    sections = []
    for group in filter(None, groups):
        title = "; ".join([one.text for one in group])
        words = " ".join(dict.fromkeys(find_content_terms(title, language)))
        scores = score_by_words(words, named, "")
        ranked = sorted(zip(scores, named, strict=True), key=lambda one: -one[0])
        fitting = [name for score, name in ranked if score > 0][:HEADINGS_OF_A_PART]
        asked = [*(one.query for one in group), *fitting]
        sections.append(_limit_questions(title[:1].upper() + title[1:], asked))
    return sections


def _share_out(titles: Sequence[str], sections: Sequence[_Section], language: str) -> None:
    """Ask for the documents that no section asks for: each in the section that is nearest to it.

    Passages are ranked for each question of a section, so that a document whose words no question
    has would be shown to no writer.
    """
    for title in titles:
        free = [one for one in sections if len(one["questions"]) < QUESTIONS_PER_SECTION]
        if any(title[:480] in asked for one in sections for asked in one["questions"]) or not free:
            continue
        texts = [" ".join([one["title"], *one["questions"]]) for one in free]
        scores = score_by_words(title, texts, language)
        nearest = max(range(len(free)), key=lambda at: (scores[at], -len(free[at]["questions"])))
        free[nearest]["questions"].append(title[:480])


def _plan_section(topic: _Topic, question: str) -> _Section:
    asked = [_phrase_question(topic, subject) for subject in topic.subjects[:QUESTIONS_PER_SECTION]]
    if len(asked) < 2:
        asked.append(topic.title)
    if len(asked) < QUESTIONS_PER_SECTION - 1:  # its title need not hold a word of it
        asked.append(question)
    return _limit_questions(topic.title, asked)


def _limit_questions(title: str, asked: Iterable[str]) -> _Section:
    questions = _drop_duplicates(q[:480] for q in asked)[: QUESTIONS_PER_SECTION + 1]
    if len(questions) < 2:
        questions.append(f"{title} – {questions[0]}"[:480])
    return {"title": title[:200], "questions": questions[: max(2, QUESTIONS_PER_SECTION)]}


def _phrase_question(topic: _Topic, subject: str) -> str:
    return subject if topic.title.casefold() in subject.casefold() else f"{topic.title}: {subject}"


def _make_title(question: str) -> str:
    """The question as a title."""
    return " ".join(question.split()).rstrip("?？؟.。! ")[:280] or "Report"


def _drop_duplicate_topics(topics: Sequence[_Topic]) -> list[_Topic]:
    by_name: dict[str, _Topic] = {}
    for topic in topics:
        by_name.setdefault(topic.title.casefold(), topic)
    return list(by_name.values())


def _drop_duplicates(texts: Iterable[str]) -> list[str]:
    by_name: dict[str, str] = {}
    for text in texts:
        by_name.setdefault(text.casefold(), text)
    return list(by_name.values())
