"""Sentences that call something disputed, which a page that their writer did not see may settle."""

import re
from functools import cache

from citations.markers import strip_markers

_DISPUTED = {
    "en": r"(?:(?:is|are|was|were|remains?|stays?) (?:still )?)?(?:disputed|contested|in dispute|"
    r"controversial|unsettled|under debate|a matter of debate)",
    "de": r"(?:(?:ist|sind|bleibt|bleiben) )?(?:umstritten|strittig)(?: (?:ist|sind|bleibt))?",
    "fr": r"(?:(?:est|sont|reste|restent) )?(?:contestée?s?|controversée?s?|en débat)",
    "es": r"(?:(?:es|está|están|sigue) )?(?:disputad[oa]s?|controvertid[oa]s?|en disputa)",
    "it": r"(?:(?:è|sono|resta) )?(?:contestat[oaie]|controvers[oaie]|dibattut[oaie])",
    "pt": r"(?:(?:é|são|está|estão) )?(?:disputad[oa]s?|controvers[oa]s?|contestad[oa]s?)",
    "nl": r"(?:(?:is|zijn|blijft) )?(?:omstreden|betwist)(?: (?:is|zijn|blijft))?",
    "zh": r"(?:仍|尚|还)?(?:有|存在)(?:很大)?(?:争议|分歧)",
    "ja": r"(?:に(?:は|ついては)?)?(?:議論|争い)(?:が(?:ある|あります|分かれている))",
}
_NOT = re.compile(r"\b(?:not|no longer|nicht|non|no|não|niet)\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:—]\s+|[，；：、]")


@cache
def _load(language: str) -> re.Pattern[str] | None:
    words = _DISPUTED.get(language)
    if words is None:
        return None
    edge = "" if language in ("zh", "ja") else r"\b"
    return re.compile(f"{edge}{words}{edge}", re.IGNORECASE)


def find_disputed(sentence: str, language: str) -> str:
    """What a sentence calls disputed, in the words of its clause; "" where it calls nothing so."""
    pattern = _load(language)
    if pattern is None:
        return ""
    before = ""
    for clause in _CLAUSE_END.split(strip_markers(sentence)):
        if pattern.search(clause) and not _NOT.search(clause):
            subject = " ".join(pattern.sub(" ", clause).split()).strip(" .。*-")
            return subject or before  # "Ob ..., ist umstritten"
        before = clause.strip()
    return ""
