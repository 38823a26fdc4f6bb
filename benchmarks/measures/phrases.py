"""Phrases by which a text gives itself away: glue between sections, and statements of absence."""

import re
from collections.abc import Sequence

_GLUE = {
    "en": (
        r"as (?:noted|mentioned|described|discussed|stated|shown|outlined) "
        r"(?:above|before|earlier|previously|below)",
        r"(?:has|have|comes? (?:with|at)) (?:its|their|a) (?:own )?price\b",
        r"it is (?:important|worth|crucial|essential|interesting) (?:to note|noting|mentioning)",
        r"it should be (?:noted|mentioned|emphasi[sz]ed)",
        r"in (?:conclusion|summary|essence|today's world)\b",
        r"(?:plays?|playing) an? (?:crucial|vital|key|important|central) role",
        r"when it comes to\b",
        r"needless to say|last but not least|at the end of the day",
        r"this (?:section|report|chapter) (?:will )?(?:explores?|delves?|looks at|examines?)",
        r"let us (?:now )?(?:turn|look)|we (?:will|shall) now\b",
    ),
    "de": (
        r"wie (?:bereits|schon|oben|zuvor|eingangs) (?:erwähnt|beschrieben|genannt|dargestellt)",
        r"(?:hat|haben) (?:\w+ ){0,2}?(?:seinen|ihren|einen) Preis\b",
        r"es ist wichtig(?:,| zu)|(?:es sei|hier sei) (?:angemerkt|erwähnt)",
        r"zusammenfassend lässt sich|abschließend lässt sich|im Folgenden wird",
        r"nicht zuletzt\b|spielt eine (?:wichtige|zentrale|entscheidende) Rolle",
        r"dieser (?:Abschnitt|Bericht) (?:beleuchtet|betrachtet|untersucht)",
    ),
}
_SOURCES = {
    "en": r"(?:sources?|documents?|passages?|pages?|materials?|texts?|excerpts?)",
    "de": r"(?:Quellen?|Dokumenten?|Texten?|Unterlagen|Passagen)",
}
_ABSENCE = {
    "en": (
        r"(?:no|none of the|neither|not one) (?:\w+ ){0,2}?__SOURCES__",
        r"__SOURCES__ (?:\w+ ){0,3}?(?:do|does|did|don't|doesn't|are|is) ?(?:not|n't|silent)",
        r"__SOURCES__ (?:say|give|contain|offer|hold|provide|name|state)s? (?:nothing|no)\b",
        r"(?:is|are|was|were) not (?:\w+ )?(?:stated|mentioned|given|said|specified|named|covered|"
        r"documented|addressed|found|reported|disclosed|provided|answered|available|known)",
        r"(?:there is|there are|has|have|with) no (?:\w+ )?(?:information|data|figures?|evidence|"
        r"details?|statement|mention|answer)",
        r"(?:could|can) not be (?:found|determined|told|established)|remains? (?:open|unclear|"
        r"unknown|unanswered)|nobody has measured|is unknown",
    ),
    "de": (
        r"(?:keine|keiner der|nicht eine) (?:\w+ ){0,2}?__SOURCES__",
        r"__SOURCES__ (?:\w+ ){0,5}?(?:nicht|keine[nr]?|nichts)\b",
        r"(?:ist|sind|wird|werden) (?:\w+ ){0,4}?nicht (?:\w+ )?(?:genannt|angegeben|erwähnt|"
        r"belegt|bekannt|beziffert|dokumentiert|gemessen)",
        r"keine (?:\w+ )?(?:Angaben?|Daten|Zahlen|Informationen|Belege|Aussagen?)",
        r"bleibt (?:offen|unklar)|lässt sich (?:\w+ ){0,3}?nicht (?:sagen|klären|feststellen)|"
        r"weiß niemand",
    ),
}


def _join(written: Sequence[str], sources: str) -> re.Pattern[str]:
    return re.compile("|".join(written).replace("__SOURCES__", sources), re.IGNORECASE)


_GLUE_OF = {language: _join(phrases, "") for language, phrases in _GLUE.items()}
_ABSENCE_OF = {
    language: _join(phrases, _SOURCES[language]) for language, phrases in _ABSENCE.items()
}


def find_glue(text: str, language: str) -> list[str]:
    """The phrases of a text that say nothing, in English and in its own language if we know it."""
    return _find(_GLUE_OF, text, language)


def says_absence(sentence: str, language: str) -> bool:
    """Whether a sentence says that something is not said, known or found."""
    return bool(_find(_ABSENCE_OF, sentence, language))


def _find(patterns: dict[str, re.Pattern[str]], text: str, language: str) -> list[str]:
    known = [patterns[one] for one in dict.fromkeys(("en", language)) if one in patterns]
    return [found[0] for pattern in known for found in pattern.finditer(text)]
