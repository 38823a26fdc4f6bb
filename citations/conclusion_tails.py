"""Clauses that conclude at the end of a cited sentence: the marker belongs in front of them.

"The default is 60 s, so a lower value is safer [3]": the source says the first half, the writer the
second. A marker behind both claims support for a view that no source holds.
"""

import re
from collections.abc import Mapping
from functools import cache

from citations.cited_parts import find_cited_parts
from citations.claim_facts import SentenceFacts
from citations.conclusion_forms import gives_view
from citations.content_terms import find_content_terms, has_kin
from citations.edits import replace_sentences
from citations.evidence_span import SourcePassages
from citations.markers import Marker, find_cited_sentences, locate_markers, strip_markers
from citations.source_facts import SourceFacts
from citations.verdict import judge_claim
from schema.report import UNSUPPORTED_FLAG
from text.code_names import find_code
from text.tokens import content_weight

MAX_NEW = 4
"""Words of content of a view that what it follows from lacks; see `MAX_NEW_ADVISING`. It may have
as many as it has known ones."""

MIN_TOLD_SHARE = 0.6
"""Of the words that a clause adds, that neighbouring sentences of a source have: it tells them."""

MIN_HEAD_TERMS = 3
"""Words of content of what a conclusion follows from."""

_LEADING = {
    "en": r"so(?! (?:that|far|much|many|long|as|on|forth|called|to)\b)(?!-)|therefore|thus|hence|"
    r"consequently|accordingly|(?:this|that|which) (?:means|makes|leaves|suggests|implies)",
    "de": r"also|daher|deshalb|darum|somit|folglich|demnach|sodass|so dass|mithin|weshalb|"
    r"was (?:heißt|bedeutet)|das (?:heißt|bedeutet)",
    "fr": r"donc|ainsi|par conséquent|dès lors|si bien qu[e’']|c['’]est pourquoi|"
    r"ce qui (?:signifie|rend|veut dire)",
    "es": r"por lo que|por (?:lo )?tanto|por eso|por ello|así que|de modo que|en consecuencia|"
    r"por consiguiente|lo que (?:significa|hace)",
    "it": r"quindi|dunque|perciò|pertanto|di conseguenza|sicché|cosicché|"
    r"il che (?:significa|rende)",
    "pt": r"portanto|por isso|assim|logo|pelo que|de modo que|por conseguinte|"
    r"o que (?:significa|torna)",
    "nl": r"dus|daarom|daardoor|derhalve|zodat|wat betekent|dat betekent",
    "zh": r"因此|所以|因而|可见|故而|这?意味着",
    "ja": r"したがって|従って|つまり|そのため|このため|よって|ゆえに",
}  # fmt: skip

_VALUING = {
    "en": r"safer|safest|better|best|wiser|wisest|preferable|prudent|sensible|advisable|riskier|"
    r"reasonable|suffices?|(?:is|are) (?:safe|wise|risky|suitable|enough)|is hardly|"
    r"^\W*(?:and )?(?:so|therefore|thus|hence) (?:do not|never|always|first|check|ask|find|go|"
    r"apply|look|make|set|use|keep|copy|raise|lower|plan|avoid|choose|prefer|treat|test|verify|watch|wait|"
    r"recompute|compare|leave|start|stop|run|measure|allow|budget|expect|count|rely)",
    "de": r"sicherer|sicherste|besser|beste|klüger|vorzuziehen|vernünftig|sinnvoll|riskanter|"
    r"empfehlenswert|(?:ist|sind) (?:sicher|riskant|geeignet)",
    "fr": r"plus (?:sûre?|prudente?|risquée?)s?|mieux|meilleure?s?|raisonnables?|prudente?s?",
    "es": r"más (?:segur[oa]|prudente|arriesgad[oa])s?|mejor(?:es)?|razonables?|prudentes?",
    "it": r"più (?:sicur[oaie]|prudent[ei]|rischios[oaie])|meglio|miglior[ei]?|ragionevol[ei]",
    "pt": r"mais (?:segur[oa]|prudente|arriscad[oa])s?|melhor(?:es)?|razoáve(?:l|is)",
    "nl": r"veiliger|beter|beste|verstandig(?:er)?|raadzaam|riskanter",
    "zh": r"更?安全|更?稳妥|更好|更?合理|明智",
    "ja": r"安全|無難|賢明|妥当|より良い",
}  # fmt: skip

_NEXT_CLAUSE = re.compile(
    r"[;:()—；：（）]|\s[–-]\s|\b(?:because|since|as long as|although|while|whereas|weil|obwohl|"
    r"während|parce qu|bien que|porque|aunque|perché|sebbene|embora|omdat|hoewel)\b|因为|ため|ので",
    re.IGNORECASE,
)
_PAIRS = (("(", ")"), ("[", "]"), ("（", "）"), ("“", "”"), ("«", "»"), ("「", "」"))
_STOPS = " .!?。！？؟…\"'”’»」)]*_\t\n"


@cache
def _compile_leading(language: str) -> re.Pattern[str]:
    words = _LEADING[language]
    if language in ("zh", "ja"):
        return re.compile(rf"(?P<join>\s*[，,；;、—]+)(?:{words})")
    return re.compile(
        rf"(?P<join>\s*[,;:]|\s+[—–-])\s+(?:(?:and|und|et|y|e|en)\s+)?(?:{words})\b", re.IGNORECASE
    )


def find_conclusion(sentence: str, language: str, *, is_parted: bool = False) -> int | None:
    """Where the last clause of a sentence begins, with its comma, if it concludes and no more.

    Such a clause says that it follows, gives a view or repeats, and has no figure, no name and no
    code that what is before it lacks. Where the writer parts it from what is cited, by a marker in
    front of it, it need give no view.

    Returns:
        A position in the sentence; None without such a clause, and in other languages.
    """
    if language not in _LEADING:
        return None
    found = [*_compile_leading(language).finditer(sentence)]
    if not found:
        return None
    start = found[-1].start()
    head, tail = strip_markers(sentence[:start]), strip_markers(sentence[found[-1].end("join") :])
    if _NEXT_CLAUSE.search(tail.rstrip(_STOPS)) or _cuts_pair(sentence[:start]):
        return None
    if len(_list_words(head, language)) < MIN_HEAD_TERMS or _brings_fact(head, tail, language):
        return None
    known = find_content_terms(head, language)
    own = find_content_terms(tail, language)
    new = {term for term in own if not has_kin(term, known)}
    views = gives_view(strip_markers(sentence[start:]), language) or _values(tail, language)
    most = max(MAX_NEW, len(own) - len(new)) if views else MAX_NEW if is_parted else 0
    return start if len(new) <= most else None


def _values(clause: str, language: str) -> bool:
    words = _VALUING[language]
    pattern = words if language in ("zh", "ja") else rf"\b(?:{words})\b"
    return bool(re.search(pattern, clause, re.IGNORECASE))


def _cuts_pair(head: str) -> bool:
    """Whether a text ends inside brackets, quotes or code."""
    odd = any(head.count(one) % 2 for one in ("`", '"'))
    return odd or any(head.count(one) != head.count(other) for one, other in _PAIRS)


def _brings_fact(head: str, tail: str, language: str) -> bool:
    said, known = (
        SentenceFacts(tail, language),
        SourceFacts([SentenceFacts(head, language)], language),
    )
    return bool(
        known.find_missing_numbers(said)
        or known.find_missing_names(said)
        or find_code(tail) - find_code(head)
    )


def _list_words(text: str, language: str) -> frozenset[str]:
    return frozenset(
        term
        for term in SentenceFacts(text, language).unique_terms
        if content_weight(term, language) == 1
    )


def tells_conclusion(head: str, tail: str, source: SourcePassages) -> bool:
    """Whether a source has, in neighbouring sentences, the words that a conclusion adds.

    Args:
        head: what it follows from.
        tail: the clause that concludes, both without markers.
        source: what was read.
    """
    own = _list_words(tail, source.language) - _list_words(head, source.language)
    for said in (tail, f"{head}{tail}"):
        weights = source.weigh_terms(SentenceFacts(said, source.language))
        run, _ = source.find_best_run(weights) or ((), 0.0)
        held = frozenset[str]().union(*(unit.facts.unique_terms for unit in run))
        if own and sum(has_kin(term, held) for term in own) >= MIN_TOLD_SHARE * len(own):
            return True
    return False


def place_behind_facts(text: str, sources: Mapping[int, SourcePassages], language: str) -> str:
    """A text whose markers stand in front of the conclusions that end their sentences.

    A marker stays where its source tells the conclusion too, or nothing of what it follows from.
    No sentence gains or loses a source, or a word.

    Args:
        text: whose markers are normalised.
        sources: what was read of each source, by number.
        language: of the text.
    """
    changes = []
    for sentence, numbers in find_cited_sentences(text, language):
        said = text[sentence.start : sentence.end]
        if numbers and sentence.kind != "table" and UNSUPPORTED_FLAG not in said:
            placed = _place_in_sentence(said, sources, language)
            changes += [(sentence, placed)] if placed != said else []
    return replace_sentences(text, changes) if changes else text


def _place_in_sentence(said: str, sources: Mapping[int, SourcePassages], language: str) -> str:
    start = find_conclusion(said, language)
    if start is None:
        return said
    markers = [*locate_markers(said)]
    before = [one for one in markers if one.end <= start]
    behind = [one for one in markers if one.start > start]
    if not behind or said[behind[0].start : behind[-1].end] != _write(behind):
        return said
    if said[behind[-1].end :].strip(_STOPS):
        return said
    last = _take_last_run(said[:start], before)
    moved = [one for one in behind if one.number not in {other.number for other in last}]
    clause = said[before[-1].end if before and not last else 0 : start]
    if not all(
        one.number in sources and _is_own(said, start, sources[one.number]) for one in behind
    ) or not all(_backs(clause, said, sources[one.number]) for one in moved):
        return said
    ahead = said[: behind[0].start]
    blank = "" if last else ahead[len(ahead.rstrip()) :]
    joined = f"{blank}{_write(moved)}" if moved else ""
    return f"{said[:start]}{joined}{ahead.rstrip()[start:]}{said[behind[-1].end :]}"


def _is_own(said: str, start: int, source: SourcePassages) -> bool:
    """Whether a source lacks what the clause from `start` on concludes."""
    return not tells_conclusion(strip_markers(said[:start]), strip_markers(said[start:]), source)


def _backs(clause: str, said: str, source: SourcePassages) -> bool:
    """Whether a source supports a clause, or some of it and no less than all of its sentence."""
    found = judge_claim(strip_markers(clause), source)
    if found.kind == "supported":
        return True
    whole = judge_claim(strip_markers(said), source)
    return found.kind == "partial" and found.support >= whole.support


def _take_last_run(head: str, markers: list[Marker]) -> list[Marker]:
    """The markers that stand side by side at the end of a text."""
    end, run = len(head.rstrip()), list[Marker]()
    for one in reversed(markers):
        if one.end != end:
            break
        run.insert(0, one)
        end = one.start
    return run


def _write(markers: list[Marker]) -> str:
    return "".join(f"[{one.number}]" for one in markers)


def find_parts_to_judge(
    said: str, kind: str, sources: Mapping[int, SourcePassages]
) -> dict[int, str]:
    """The part of a sentence that each number stands behind, where that is not all of it.

    See `find_cited_parts`. What a sentence concludes behind its last marker belongs to no source
    that does not tell it.

    Args:
        said: the sentence, its markers normalised.
        kind: of its text.
        sources: what was read of each source that it cites.
    """
    language = next(iter(sources.values())).language
    parts = dict(find_cited_parts(said, kind, language))
    start = find_conclusion(said, language, is_parted=True) if kind != "table" else None
    if start is None or any(one.end > start for one in locate_markers(said)):
        return parts
    ahead = find_cited_parts(said[:start], kind, language)
    for number, source in sources.items():
        if _is_own(said, start, source):
            parts[number] = ahead.get(number, said[:start])
    return parts
