"""Bytes of plain text to text, whatever encoding they are in."""

import codecs


def decode_utf8(data: bytes) -> str | None:
    """The text, if it is in UTF-8, or in UTF-16 that is recognised at once; else None."""
    try:
        return data.decode(_detect_utf16(data) or "utf-8-sig")
    except UnicodeDecodeError:
        return None


def decode(data: bytes) -> str | None:
    """The text; None where its encoding cannot be recognised, which may take seconds to see."""
    text = decode_utf8(data)
    return _decode_by_guess(data) if text is None else text


def _decode_by_guess(data: bytes) -> str | None:
    from charset_normalizer import from_bytes  # noqa: PLC0415  (for old files only)

    guesses = from_bytes(data)
    best = guesses.best()
    if best is None:
        return None
    for guess in guesses:  # a few accents fit many encodings: the most common one it is
        same = (guess.chaos, guess.coherence) == (best.chaos, best.coherence)
        if same and "cp1252" in guess.could_be_from_charset:
            return data.decode("cp1252")
    return str(best)


def _detect_utf16(data: bytes) -> str:
    """The name of UTF-16 without a byte order mark where every other byte is zero; else ""."""
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))
    for name, zeros in (("utf-16-le", data[1:8192:2]), ("utf-16-be", data[:8192:2])):
        if not marked and zeros.count(0) > 0.7 * len(zeros):
            return name
    return ""
