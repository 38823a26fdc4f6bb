"""Sentences that leave a thing unsettled: disputed, put down to no cause, asked, not looked into.

A page that their writer did not see may settle it.
"""

import re
from functools import cache

from citations.markers import strip_markers

_DISPUTED = {
    "en": r"(?:(?:is|are|was|were|remains?|stays?) (?:still )?)?(?:disputed|contested|in dispute|"
    r"controversial|unsettled|under debate|a matter of debate|in doubt|doubtful|doubted)|"
    r"a doubt (?:that (?:was|is) )?(?:raised|voiced|expressed)\b.*",
    "de": r"(?:(?:ist|sind|bleibt|bleiben) )?(?:umstritten|strittig|zweifelhaft|fraglich)"
    r"(?: (?:ist|sind|bleibt))?|(?:wird|werden|wurde|wurden) (?:be|an)gezweifelt",
    "fr": r"(?:(?:est|sont|reste|restent) )?(?:contestée?s?|controversée?s?|en débat|"
    r"douteu(?:x|ses?)|mise?s? en doute)",
    "es": r"(?:(?:es|está|están|sigue) )?(?:disputad[oa]s?|controvertid[oa]s?|en disputa|"
    r"dudos[oa]s?|en duda)",
    "it": r"(?:(?:è|sono|resta) )?(?:contestat[oaie]|controvers[oaie]|dibattut[oaie]|"
    r"dubbi[oae]?|(?:mess[oaie] )?in dubbio)",
    "pt": r"(?:(?:é|são|está|estão) )?(?:disputad[oa]s?|controvers[oa]s?|contestad[oa]s?|"
    r"duvidos[oa]s?|em dúvida)",
    "nl": r"(?:(?:is|zijn|blijft) )?(?:omstreden|betwist|twijfelachtig|betwijfeld)"
    r"(?: (?:is|zijn|blijft))?",
    "zh": r"(?:仍|尚|还)?(?:有|存在)(?:很大)?(?:争议|分歧|疑问)|(?:仍|尚)?存疑|(?:受到|遭到)质疑",
    "ja": r"(?:に(?:は|ついては)?)?(?:議論|争い)(?:が(?:ある|あります|分かれている))|"
    r"(?:は|が)?(?:疑わしい|疑問視されている)",
}
_NOT = re.compile(r"\b(?:not|no longer|nicht|non|no|não|niet)\b", re.IGNORECASE)

_UNASSIGNED = {
    "en": r"\b(?:(?:no|neither|none)\b(?P<none>.{1,60}?)\b(?:can|could|may)|"
    r"(?:can|could)(?:not| not|n['’]t)) be (?=(?:blamed|attributed|ascribed|assigned|traced|linked|"
    r"tied|charged|put down|laid at|determined|established|told(?! apart))\b)|"
    r"\b(?:nor (?:is|are|was|were|has|have)\b(?P<nor>.{1,60}?)|(?:not|never|n['’]t) )(?:been )?"
    r"(?:proven|proved|established|demonstrated)\b|\bunproven\b",
    "de": r"\b(?:kein\w*\b(?P<none>.{1,60}?)\b(?:lässt|lassen|kann|können)(?: sich)?|"
    r"(?:lässt|lassen) sich\b(?P<sich>.{0,60}?)\bnicht)\b(?=.{0,60}\b(?:zuordnen|zuschreiben|"
    r"zurückführen|anlasten|zugeordnet|zugeschrieben|zurückgeführt|angelastet)\b)|"
    r"\b(?:(?:ist|sind|war|waren|wurde|wurden) )?(?:nicht|nie) (?:bewiesen|erwiesen|nachgewiesen|"
    r"belegt)\b|\bunbewiesen\b",
    "fr": r"\b(?:aucune?\b(?P<none>.{1,60}?)\bne (?:peut|peuvent)|ne (?:peut|peuvent) pas)\b"
    r"(?: être)? (?=(?:attribu|imput|rattach|reli)\w+)|\b(?:pas|non) (?:été )?(?:prouvée?s?|"
    r"démontrée?s?|établie?s?)\b",
    "es": r"\b(?:(?:ningun[oa]?|ningún)\b(?P<none>.{1,60}?)\b(?:puede|pueden)|no (?:se )?(?:puede|"
    r"pueden))\b(?: ser)? (?=(?:atribui|achaca|imputa|asigna)\w+)|\bno (?:está|ha sido) "
    r"(?:probad|demostrad)[oa]\b",
    "it": r"\b(?:nessun[oa]?\b(?P<none>.{1,60}?)\b(?:può|possono)|non (?:si )?(?:può|possono))\b"
    r"(?: essere)? (?=(?:attribui|imputa|assegna|ricondu)\w+)|\bnon (?:è|è stat[oa]) "
    r"(?:provat|dimostrat)[oa]\b",
    "pt": r"\b(?:nenhum[a]?\b(?P<none>.{1,60}?)\b(?:pode|podem)|não (?:se )?(?:pode|podem))\b"
    r"(?: ser)? (?=(?:atribuí|atribui|imputa|associa)\w+)|\bnão (?:está|foi) "
    r"(?:provad|demonstrad)[oa]\b",
    "nl": r"\b(?:geen\b(?P<none>.{1,60}?)\b(?:kan|kunnen)|(?:kan|kunnen) niet)\b"
    r"(?=.{0,60}\b(?:toegeschreven|toegewezen|geweten|herleid)\b)|\bniet (?:bewezen|aangetoond)\b",
    "zh": r"(?:无法|不能|难以)(?=(?:归因|归咎|归于))|(?:未|尚未|没有)(?:被)?证实",
    "ja": r"(?<=の)(?:せい|原因)(?:とは|だとは)(?:言え|いえ)ない|証明されていない",
}  # fmt: skip
"""What says that nothing is put down to a cause or proven; what names the thing inside is kept."""

_UNANSWERED = {
    "en": r"\basked (?:whether|if|why|how|what|when)\b|\b(?:nobody|no one) (?:counts?|counted|"
    r"knows?|knew|measures?|measured|records?|recorded|tells?|told|asked)\b",
    "de": r"\bfragten?,? (?:ob|warum|wie|was|wann)\b|\bniemand (?:zählte?|weiß|wusste|misst|maß|"
    r"erfasste?|fragte)\b",
    "fr": r"\bdemand\w+ (?:si|pourquoi|comment|quand)\b|\bpersonne ne (?:compte|sait|mesure|"
    r"savait)\b",
    "es": r"\bpregunt\w+ (?:si|por qué|cómo|cuándo)\b|\bnadie (?:cuenta|sabe|mide|contó|sabía)\b",
    "it": r"\bchie(?:se|sto|de) (?:se|perché|come|quando)\b|\bnessuno (?:conta|sa|misura|sapeva)\b",
    "pt": r"\bpergunt\w+ (?:se|por que|como|quando)\b|\bninguém (?:conta|sabe|mede|contou|sabia)\b",
    "nl": r"\bvroeg(?:en)? (?:of|waarom|hoe|wanneer)\b|\bniemand (?:telt|weet|meet|telde|wist)\b",
    "zh": r"(?:询问|问)(?:是否|为何|为什么|如何)|(?:没有人|无人)(?:统计|知道|测量)",
    "ja": r"かどうか(?:を)?(?:尋ね|質問)た?|誰も(?:数え|知ら|測っ)て?(?:い)?ない",
}  # fmt: skip
"""What reports a question without its answer, or that nobody has looked."""

_CLAUSE_END = re.compile(r"[,;:—]\s+|[，；：、]")


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def find_unsettled(sentence: str, language: str) -> str:
    """What a sentence calls disputed, or leaves without an answer, in the words of its clause.

    "" where it calls nothing so, and in other languages.
    """
    if language not in _DISPUTED:
        return ""
    edge = "" if language in ("zh", "ja") else r"\b"
    disputed = _compile(f"{edge}{_DISPUTED[language]}{edge}")
    said, before = strip_markers(sentence), ""
    if unanswered := _compile(_UNANSWERED[language]).search(said):
        behind = _CLAUSE_END.split(said[unanswered.end() :])[0]
        return _tidy(behind) or _tidy(said[: unanswered.start()])
    for clause in _CLAUSE_END.split(said):
        unassigned = _compile(_UNASSIGNED[language]).search(clause)
        if unassigned:
            kept = " ".join(filter(None, unassigned.groups()))
            left = f"{clause[: unassigned.start()]} {kept} {clause[unassigned.end() :]}"
            return _tidy(left) or before  # "Dass ..., ist nicht erwiesen"
        if disputed.search(clause) and not _NOT.search(clause):
            return _tidy(disputed.sub(" ", clause)) or before
        before = clause.strip()
    return ""


def _tidy(clause: str) -> str:
    return " ".join(clause.split()).strip(" .。*-")
