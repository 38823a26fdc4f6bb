"""Bytes of plain text to text, whatever encoding they are in."""

import codecs

from charset_normalizer import from_bytes


def decoded(data: bytes) -> str | None:
    """The text; None where its encoding cannot be told."""
    try:
        return data.decode(_unmarked_utf16(data) or "utf-8-sig")
    except UnicodeDecodeError:
        guesses = from_bytes(data)
        best = guesses.best()
        if best is None:
            return None
        for guess in guesses:  # a few accents fit many encodings: the most common one it is
            same = (guess.chaos, guess.coherence) == (best.chaos, best.coherence)
            if same and "cp1252" in guess.could_be_from_charset:
                return data.decode("cp1252")
        return str(best)


def _unmarked_utf16(data: bytes) -> str:
    """The name of UTF-16 where its mark is missing and every other byte is zero; else ""."""
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))
    for name, zeros in (("utf-16-le", data[1:8192:2]), ("utf-16-be", data[:8192:2])):
        if not marked and zeros.count(0) > 0.7 * len(zeros):
            return name
    return ""
