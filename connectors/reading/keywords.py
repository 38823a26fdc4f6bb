"""The words of a question, for search engines whose query language has operators."""

from unicodedata import category

from retrieval.function_words import function_words
from retrieval.language import detect_language

_INSIDE = "-.'"
"""Signs that join a word, as in `covid-19`, and mean nothing there to any query language."""


def keywords(question: str, language: str = "") -> list[str]:
    """The words that carry its subject; all its words where none does.

    Args:
        question: as its asker wrote it.
        language: of its function words; detected where "".

    Returns:
        Each word once, in order and in lower case. None of them is or holds an operator.
    """
    signs = question.replace("’", "'")
    kept = "".join(sign if category(sign)[0] in "LMN" or sign in _INSIDE else " " for sign in signs)
    words = dict.fromkeys(word for part in kept.lower().split() if (word := part.strip(_INSIDE)))
    function = function_words(language or detect_language(question))
    return [word for word in words if word not in function] or list(words)
