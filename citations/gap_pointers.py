"""Where a sentence says that what is missing may stand: "under “Spare parts” in the manual"."""

import re
from functools import cache

_QUOTED = re.compile(
    r'"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|「[^」]*」|『[^』]*』|《[^》]*》'
)

_PLACE = re.compile(
    r"\b(?:headings?|sections?|chapters?|appendix|Abschnitte?s?|Kapiteln?|Überschrift|rubrique|"
    r"chapitre|apartado|sección|capítulo|sezione|capitolo|secção|seção|hoofdstuk|kopje|paragraaf)\b"
    r"|章|节|節",
    re.IGNORECASE,
)
"""Words for a part of a page: without one of them, or a quoted title, nothing points to a place."""

_LEADS = {
    "en": r"(?:\b(?:and|or) )?(?:\b(?:it|they|this|that|which|the answer|more|details) )?"
    r"\b(?:may|might|could) (?:well |also |perhaps |rather )?(?:stand|appear|"
    r"be (?:found|given|listed|told|stated|covered|named)) (?:further down )?(?:under|in|on|"
    r"below|at)\b"
    r"|(?:\b(?:it|they|this|that) )?\b(?:probably|perhaps|possibly) (?:stands?|appears?|"
    r"(?:is|are) (?:found|given|listed)) (?:under|in|on|below|at)\b"
    r"|\bsee (?:also |under )?(?=[\"“])"
    r"|(?:\bthe (?:heading|section|chapter|page) )?(?:\"[^\"]+\"|“[^”]+”)[^;,]{0,60}?"
    r"\b(?:may|might|could) (?:tell|hold|have|say|answer|cover)\b",
    "de": r"(?:\b(?:und|er|sie|es|das|dies|die Antwort) )*\b(?:könnten?|kann|können|dürften?|"
    r"mag|mögen)\b(?=[^;]*\b(?:stehen|finden|sein|aufgeführt|genannt|nachzulesen)\b)"
    r"[^;]{0,30}?\b(?:unter|im|in|auf)\b"
    r"|\b(?:möglicherweise|vielleicht|vermutlich|womöglich) (?:steh(?:t|en)|find(?:et|en))\b"
    r"|(?:\b(?:und|er|sie|es|das|dies) )*\b(?:steh(?:t|en)|find(?:et|en) sich) (?:möglicherweise|"
    r"vielleicht|vermutlich|womöglich|wohl|eventuell)\b",
    "fr": r"(?:\b(?:et|il|elle|ils|elles|cela|la réponse) )*\b(?:peu(?:t|vent)|pourrai(?:t|ent)|"
    r"devrai(?:t|ent))(?: bien| aussi| peut-être)? (?:se trouver|figurer|apparaître|"
    r"être (?:indiquée?s?|donnée?s?|précisée?s?))\b"
    r"|(?:\b(?:et|il|elle|ils|elles|cela) )*\b(?:se trouve|figure)(?:nt)? (?:peut-être|"
    r"sans doute|probablement)\b",
    "es": r"(?:\b(?:y|esto|eso|la respuesta) )*\b(?:puede|podría)n? (?:quizás? )?(?:estar|figurar|"
    r"encontrarse|hallarse|aparecer|venir|constar)\b"
    r"|\b(?:quizás?|tal vez|posiblemente|probablemente) (?:est[éá]n?|figur[ea]n?|"
    r"se encuentr[ea]n?|aparezcan?|aparecen?)\b",
    "it": r"(?:\b(?:e|ciò|questo|la risposta) )*\b(?:può|possono|potrebbe(?:ro)?) (?:forse )?"
    r"(?:stare|trovarsi|figurare|comparire|essere (?:indicat|riportat)[oaie])\b"
    r"|\b(?:forse|probabilmente) (?:si trova|figura|sta|compare|si trovano|figurano)\b",
    "pt": r"(?:\b(?:e|isso|isto|a resposta) )*\b(?:podem?|poder(?:á|ão|ia|iam)) (?:talvez )?"
    r"(?:estar|figurar|encontrar-se|constar|aparecer|vir)\b"
    r"|\b(?:talvez|possivelmente|provavelmente) (?:estejam?|est(?:á|ão)|figurem?|constem?|"
    r"se encontrem?|apareçam?)\b",
    "nl": r"(?:\b(?:en|het|dit|dat|die|hij|ze|het antwoord) )*\b(?:kan|kunnen|zou|zouden)\b"
    r"(?=[^;]*\b(?:staan|vinden|vermeld)\b)[^;]{0,30}?\b(?:onder|bij|in|op)\b"
    r"|(?:\b(?:en|het|dit|dat|die|ze) )*\b(?:sta(?:at|an) (?:mogelijk|misschien|wellicht|"
    r"vermoedelijk)|(?:mogelijk|misschien|wellicht|vermoedelijk) sta(?:at|an))\b",
    "zh": r"[它其]?(?:可能|或许|也许|大概)(?:会)?(?:在|见于|列于|列在|写在|载于|位于|记于|出现在)",
    "ja": r"[^、；;]*[「『《][^」』》]*[」』》][^、；;]*?(?=かもしれ|可能性が)",
}  # fmt: skip
"""What a sentence says before the place, by language."""

_OWN_SUBJECT = re.compile(
    r"(?:and|or|it|they|this|that|which|the|see|und|er|sie|es|das|dies|et|ils?|elles?|cela|y|esto|"
    r"eso|e|ciò|questo|isso|isto|en|het|dit|dat|die|hij|ze)\b|[\"“它其]",
    re.IGNORECASE,
)
"""What a pointer opens with where the words before it are no subject of it."""


@cache
def _compile_lead(language: str) -> re.Pattern[str] | None:
    words = _LEADS.get(language)
    return re.compile(words, re.IGNORECASE) if words else None


def split_pointer(sentence: str, language: str, contrast: re.Pattern[str]) -> tuple[str, str, str]:
    """Part a sentence at where it says that something may stand.

    Args:
        sentence: any.
        language: of its phrases.
        contrast: opens a clause that states something of its own; it ends the pointer.

    Returns:
        What stands before, the pointer with the titles it names, what stands behind; where a
        sentence points nowhere, the sentence and two empty texts.
    """
    lead = _compile_lead(language)
    blanked = _QUOTED.sub(lambda found: "x" * len(found.group()), sentence)
    for found in lead.finditer(sentence) if lead else ():
        closing = contrast.search(blanked, found.end())
        end = closing.start() if closing else len(sentence)
        pointer = sentence[found.start() : end]
        if _QUOTED.search(pointer) or _PLACE.search(pointer):
            return sentence[: found.start()], pointer, sentence[end:]
    return sentence, "", ""


def list_titles(pointer: str) -> list[str]:
    """The titles that a pointer names in quotes, without these."""
    return [found.group()[1:-1].strip() for found in _QUOTED.finditer(pointer)]


def has_own_subject(pointer: str) -> bool:
    """Whether a pointer stands alone: what is before it is a clause that says something else."""
    return bool(_OWN_SUBJECT.match(pointer))
