"""The one notion of a word that the fakes share."""

import re


def words(text: str) -> list[str]:
    """Splits text into its words.

    Args:
        text: Any text.

    Returns:
        The words in lower case, in order, repeats included.
    """
    return re.findall(r"\w+", text.lower())
