"""Whether a text speaks of a question, by their words."""

from collections.abc import Sequence

from citations.markers import rewrite_marker_runs
from models.extractive.candidates import find_content_terms
from models.extractive.statements import is_derived
from text.language import detect_language


def find_off_topic(texts: Sequence[str], question: str, language: str) -> set[int]:
    """The places of texts without any content word of the question; never of all of them.

    A word that is derived from one of the question's counts as that. A text in another language
    than the question's is taken to speak of it: their words cannot be compared.
    """
    wanted = set(find_content_terms(question, language))
    off = {
        place
        for place, text in enumerate(texts)
        if not _speaks_of(rewrite_marker_runs(text, lambda _: ""), wanted, language)
    }
    return off if len(off) < len(texts) else off - {0}


def _speaks_of(text: str, wanted: set[str], language: str) -> bool:
    terms = set(find_content_terms(text, language))
    return (
        not terms.isdisjoint(wanted)
        or any(is_derived(term, other) for term in terms for other in wanted)
        or detect_language(text, language) != language
    )
