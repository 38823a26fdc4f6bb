"""Years that a dated text names by its own time: "last winter" in one of June 2025 is 2024/25."""

import re

_SEASONS = {
    "en": r"year|winter|spring|summer|autumn|fall|season|one|(?:sept|nov|dec)ember|october",
    "de": r"jahr\w*|winter\w*|frühjahr\w*|frühling\w*|sommer\w*|herbst\w*|saison",
    "fr": r"année|an|hiver|printemps|été|automne|saison",
    "es": r"año|invierno|primavera|verano|otoño|temporada",
    "it": r"anno|inverno|primavera|estate|autunno|stagione",
    "pt": r"ano|inverno|primavera|verão|outono|temporada",
    "nl": r"jaar|winter|voorjaar|lente|zomer|herfst|najaar|seizoen",
}

_BEFORE = re.compile(
    rf"\b(?:last|past|previous|preceding) (?:{_SEASONS['en']})\b|\ba year (?:ago|earlier)\b|"
    rf"\b(?:letzt|vorig|vergangen)e[mnrs]? (?:{_SEASONS['de']})\b|\bvor einem Jahr\b|"
    rf"\bim Vorjahr\b|"
    rf"\b(?:{_SEASONS['fr']}) (?:dernier|dernière|passée?|précédente?)\b|"
    rf"\b(?:{_SEASONS['es']}) (?:pasad[oa]|anterior)\b|\b(?:{_SEASONS['it']}) (?:scors[oa])\b|"
    rf"\b(?:{_SEASONS['pt']}) (?:passad[oa]|anterior)\b|"
    rf"\b(?:vorige?|afgelopen) (?:{_SEASONS['nl']})\b|去年|上年|昨年|前年度",
    re.IGNORECASE,
)

_AFTER = re.compile(
    rf"\b(?:next|coming|following) (?:{_SEASONS['en']})\b|"
    rf"\b(?:nächst|kommend)e[mnrs]? (?:{_SEASONS['de']})\b|"
    rf"\b(?:{_SEASONS['fr']}) (?:prochaine?)\b|\bpróxim[oa] (?:{_SEASONS['es']})\b|"
    rf"\bprossim[oa] (?:{_SEASONS['it']})\b|\bpróxim[oa] (?:{_SEASONS['pt']})\b|"
    rf"\b(?:volgende?|komende?) (?:{_SEASONS['nl']})\b|明年|来年|翌年",
    re.IGNORECASE,
)


def list_meant_years(text: str, published: str) -> list[str]:
    """The years before and after that of its publication of which a text speaks as last and next.

    Args:
        text: whole, or a passage of it.
        published: its date, the year first; nothing is known of a text without one.
    """
    if not published[:4].isdecimal():
        return []
    year = int(published[:4])
    meant = [(_BEFORE, year - 1), (_AFTER, year + 1)]
    return [str(other) for words, other in meant if words.search(text)]
