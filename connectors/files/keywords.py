"""The words of a question, for search engines whose query language has operators."""

from unicodedata import category

from text.language import detect_language
from text.stopwords import load_stopwords

_JOINERS = "-.'"
"""Signs that join a word, as in `covid-19`, and mean nothing there to any query language."""


def extract_keywords(question: str, language: str = "") -> list[str]:
    """The words that carry its subject; all its words where none does.

    Args:
        question: as its asker wrote it.
        language: of its function words; detected where "".

    Returns:
        Each word once, in order and in lower case. None of them is or holds an operator.
    """
    plain = question.replace("’", "'")
    cleaned = "".join(one if category(one)[0] in "LMN" or one in _JOINERS else " " for one in plain)
    words = dict.fromkeys(
        word for part in cleaned.lower().split() if (word := part.strip(_JOINERS))
    )
    function = load_stopwords(language or detect_language(question))
    return [word for word in words if word not in function] or list(words)
