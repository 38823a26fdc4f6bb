"""How near a sentence comes to being the answer: what a question asks in its main clause."""

import re
from collections.abc import Mapping, Sequence

from models.extractive.candidates import find_content_terms
from models.extractive.question_parts import split_question
from models.extractive.question_type import (
    asks_for_amount,
    asks_for_new,
    find_asked_kinds,
    find_told_kinds,
    weigh_terms,
)
from models.extractive.statements import is_derived
from text.names import find_names

CONDITION_WEIGHT = 0.5
"""What a word counts that stands in a condition of the question ("if the landlord objects")."""

LATER_WEIGHT = 0.5
"""What a word counts that only the further things have which a question asks for."""

NAME_WEIGHT = 0.3
"""What a word of a name counts: it stands in many sentences that say nothing of what is asked."""

TELLING_FACTOR, OLD_FACTOR = 1.5, 0.3
"""Factor of a sentence that tells what is asked for: a rule, a number; of one with an old year."""

DERIVED_WEIGHT = 0.8
"""What a word counts that is derived from one of the question's: growing, growth."""

RECENT_YEARS = 2

_CONDITION = re.compile(
    r",?\s+\b(?:if|when|although|unless|even though|wenn|falls|obwohl|sofern|si|quand|bien que|"
    r"aunque|cuando)\s",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"\W*(?:may|can|could|must|should|is|are|was|were|do|does|did|has|have|will|darf|dürfen|kann|"
    r"können|muss|müssen|soll\w*|ist|sind|hat|haben|wird|peut-on|est-ce|faut-il|puede|debe|es)\b",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\b(?:may|can|cannot|must|shall|need not|(?:is|are) (?:not )?(?:allowed|forbidden|required|"
    r"void|entitled)|darf|dürfen|kann|können|muss|müssen|erlaubt|verboten|zulässig|peut|peuvent|"
    r"doit|doivent|interdite?s?|puede|pueden|debe|deben|prohibid[oa]s?)\b|可以|不得|必须",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"\b(?:defendant|claimant|plaintiff|appellant|kläger\w*|beklagte\w*|demand(?:eur|eresse)|"
    r"défend(?:eur|eresse)|demandad[oa]|demandante|i|my|mine|ich|mein(?:e[mnrs]?)?|je|mon|mes|yo|"
    r"mi|says|said|asks?|sagte?|hofft?|hopes?)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|may|might|must|will|would|shall|should|do|does|"
    r"did|cannot|rose|fell|grew|took|gave|came|went|began|made|found|led|kept|held|paid|stood|ran|"
    r"became|left|lost|meant|won|put|let|cut|set|\w+n't)\b|"
    r"\b(?!need|speed|seed|feed|bed|red|hundred)[a-z]{2,}ed\b|"
    r"\b[a-z]{2,}[^\Ws]s (?:the|an?|that|its|their|no|only|up|out|more|less|by|to|at|from|in|on|"
    r"with|into|\d)",
)
_ASIDE = re.compile(r"\([^)]*\)|\d[\d.,]*(?:\s[a-z]+)?\s[a-z]+s\b")
"""Brackets, and what is counted: "900 cubic metres" looks like a verb."""

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?![\d.,]\d)")
_DIGIT = re.compile(r"\d")


def weigh_focus(question: str, language: str) -> dict[str, float]:
    """What each word of a question counts; those of the first thing that it asks for most."""
    first = split_question(question, language)[0].text
    main = _CONDITION.split(first)[0] if _YES_NO.match(first) else first
    weights = dict.fromkeys(weigh_terms(question, language), LATER_WEIGHT)
    weights |= dict.fromkeys(weigh_terms(first, language), CONDITION_WEIGHT)
    weights |= weigh_terms(main, language)
    names = " ".join(one.text for one in find_names(question, language))
    return weights | dict.fromkeys(find_content_terms(names, language), NAME_WEIGHT)


def measure_focus(terms: frozenset[str], weights: Mapping[str, float]) -> float:
    """The weight of a question's words, or of words derived from them, that a sentence holds."""
    return sum(
        weight * (1.0 if term in terms else DERIVED_WEIGHT)
        for term, weight in weights.items()
        if term in terms or any(is_derived(term, other) for other in terms)
    )


def measure_telling(text: str, question: str, newest: int) -> float:
    """A factor by whether a sentence tells the kind of thing that the question asks for first.

    `newest` is the newest year that any sentence names.
    """
    question = split_question(question, "")[0].text
    factor = 1.0
    if _YES_NO.match(question) and _RULE.search(text):
        factor *= TELLING_FACTOR
    if asks_for_amount(question) and _DIGIT.search(text):
        factor *= TELLING_FACTOR
    if find_asked_kinds(question) & find_told_kinds(text):
        factor *= TELLING_FACTOR
    years = [int(one) for one in _YEAR.findall(text)]
    if asks_for_new(question) and years and max(years) < newest - RECENT_YEARS:
        factor *= OLD_FACTOR
    return factor


def find_newest_year(texts: Sequence[str], today: str) -> int:
    """The newest year up to a day (ISO) that texts name, 0 where they name none."""
    years = [one for text in texts for one in _YEAR.findall(text) if one <= today]
    return int(max(years, default="0"))


def is_single_case(text: str, question: str) -> bool:
    """Whether a sentence tells of one person or case that the question does not ask about."""
    return any(one.casefold() not in question.casefold() for one in _CASE.findall(text))


def has_verb(text: str, language: str) -> bool:
    """Whether an English sentence has a verb; one of another language is taken to have one."""
    return language != "en" or bool(_FINITE.search(_ASIDE.sub("0", text)))
