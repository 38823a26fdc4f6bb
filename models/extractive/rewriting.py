"""A section changed by the words of a wish: sentences go, sentences of the sources come."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from models.extractive.reading import Asked
from models.extractive.sentences import content
from models.extractive.writing import Wanted, alike, paragraphs, pooled
from prompts.revise_text import NOT_DONE
from retrieval.citations import without_marks
from retrieval.revision import editable, replaced
from retrieval.sentences import Sentence

SHORTER = 0.5
"""Share of a paragraph's sentences that stays where the section is to be shorter."""

ADDED = 3
"""Sentences that are added on what a wish names, or on a question where it is to be longer."""

_CLAUSE = re.compile(
    r"[,;.:!?，。；：！？、\n]+|\b(?:and|but|then|und|aber|dann|et|mais|puis|y|pero|e|ma)\b|和|并|但|然后",
    re.IGNORECASE,
)
_SHORTER = re.compile(
    r"\b(?:short\w*|brief\w*|concise\w*|tight\w*|cut down|condense\w*|kürz\w*|kurz\w*|knapp\w*|"
    r"court\w*|raccourci\w*|bref|brève|breve\w*|cort[oa]s?|acorta\w*|conciso)\b|短|精简|简短|缩",
    re.IGNORECASE,
)
_LONGER = re.compile(
    r"\b(?:long\w*|detail\w*|expand\w*|elaborate\w*|länger|ausführlich\w*|plus long\w*|"
    r"développe\w*|détail\w*|larg[oa]s?|amplía\w*|detalle\w*)\b|长|详细|展开",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\b(?:without|remove|drop|omit|delete|leave out|leave away|no|not|don't|ohne|entfern\w*|"
    r"streich\w*|weglassen|lass\w*|kein\w*|sans|supprime\w*|enlève\w*|sin|quita\w*|elimina\w*)\b|"
    r"不要|删|去掉|省略",
    re.IGNORECASE,
)
_ABOUT_FORM = re.compile(
    r"\b(?:make|add|include|mention|write|say|tell|more|less|please|section|text|paragraphs?|"
    r"sentences?|also|out|away|keep|give|use|focus|mach\w*|füge?|hinzu|ergänz\w*|nenn\w*|"
    r"schreib\w*|mehr|weniger|bitte|abschnitts?|auch|ajoute\w*|écri\w*|rends|section|moins|aussi|"
    r"añad\w*|agreg\w*|escrib\w*|más|menos|sección|también)\b|请|添加|加上|增加|写|更|段落|这一?节|部分",
    re.IGNORECASE,
)


@dataclass
class _Wish:
    """What a wish comes to, for who can only choose sentences; `words` by their terms."""

    shorter: bool = False
    longer: bool = False
    about: list[dict[str, str]] = field(default_factory=list)
    without: list[frozenset[str]] = field(default_factory=list)


def revise_text(asked: Asked) -> str:
    """Do what of a wish needs no language model, and say what was not done.

    Understood are shorter and longer, what is to be left out, and what is to be spoken of. A draft
    that nothing of it changes comes back as it is.
    """
    wish, draft = _read(asked), asked.one("draft")
    kept = _without(draft, wish, asked)
    said = [frozenset(content(without_marks(one), asked.language)) for one in _texts(kept, asked)]
    pool = pooled(asked)
    known = frozenset[str]().union(*(one.terms for one in pool))
    new = [one for one in pool if not any(alike(one.terms, other) for other in said)]
    new = [one for one in new if not any(out <= one.terms for out in wish.without)]
    around = content(asked.one("section"), asked.language)
    wanted = [
        Wanted([*around, *words], ADDED, frozenset(words))
        for words in wish.about
        if known & words.keys()
    ]
    if wish.longer:
        wanted += [
            Wanted([*around, *content(one, asked.language)], ADDED)
            for one in asked.items("questions")
        ]
    text = "\n\n".join(filter(None, [kept, *paragraphs(asked, new, wanted)]))
    missing = [word for words in wish.about for term, word in words.items() if term not in known]
    return f"{text}\n\n{NOT_DONE} {_lacking(missing)}"


def _read(asked: Asked) -> _Wish:
    wish = _Wish()
    for clause in _CLAUSE.split(asked.one("instruction")):
        wish.shorter |= bool(_SHORTER.search(clause))
        wish.longer |= bool(_LONGER.search(clause))
        bare = clause
        for form in (_SHORTER, _LONGER, _WITHOUT, _ABOUT_FORM):
            bare = form.sub(" ", bare)
        words = {
            term: word
            for word in re.findall(r"\w+", bare)
            for term in content(word, asked.language)
        }
        if words and _WITHOUT.search(clause):
            wish.without.append(frozenset(words))
        elif words:
            wish.about.append(words)
    return wish


def _without(draft: str, wish: _Wish, asked: Asked) -> str:
    """The draft without what is to be left out and, where it is to be shorter, cut by paragraph.

    The first sentences of a paragraph stay: what follows most often leans on them.
    """
    paragraphs: list[list[Sentence]] = []
    end = 0
    for one in editable(draft, asked.language):
        if not paragraphs or "\n\n" in draft[end : one.start]:
            paragraphs.append([])
        if not _speaks_of(draft[one.start : one.end], wish.without, asked.language):
            paragraphs[-1].append(one)
        end = one.end
    if wish.shorter:
        paragraphs = [held[: math.ceil(SHORTER * len(held))] for held in paragraphs]
    stays = {one.start for held in paragraphs for one in held}
    gone = [(one, "") for one in editable(draft, asked.language) if one.start not in stays]
    return replaced(draft, gone)


def _speaks_of(text: str, subjects: Sequence[frozenset[str]], language: str) -> bool:
    terms = frozenset(content(without_marks(text), language))
    return any(subject <= terms for subject in subjects)


def _texts(text: str, asked: Asked) -> list[str]:
    return [text[one.start : one.end] for one in editable(text, asked.language)]


def _lacking(missing: list[str]) -> str:
    said = "without a language model nothing was rephrased"
    if not missing:
        return f"{said}, sentences were chosen by the words of the wish."
    named = ", ".join(f"“{word}”" for word in dict.fromkeys(missing))
    return f"{said}; no source at hand speaks of {named}."
