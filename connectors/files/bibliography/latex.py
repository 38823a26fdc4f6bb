"""What the LaTeX of a bibliography's field says, as plain text."""

import re
import unicodedata

_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323",
    "c": "\u0327", "k": "\u0328", "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
    "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
    "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbraceleft": "\\{",
    "textbraceright": "\\}", "textendash": "–", "textemdash": "—", "textquoteright": "’",
    "textquoteleft": "‘", "textquotedblleft": "“", "textquotedblright": "”", "ldots": "…",
    "dots": "…", "S": "§", "P": "¶", "copyright": "©", "pounds": "£", "euro": "€",
}  # fmt: skip
# A command's letters come first, then an accent by its sign or letter, then an escaped sign.
_COMMAND = re.compile(
    r"\\(?:(?P<accent>[`'^~=.\"]|[uvHrdckb](?![A-Za-z]))\s*(?:\{\s*(?P<in>\\?[^\W\d_]?)\s*\}"
    r"|(?P<bare>\\?[^\W\d_]))|(?P<word>[A-Za-z]+)(?P<arg>\{\}|[ \t]*)|(?P<sign>[^A-Za-z]))"
)
_DASHES = re.compile(r"(?<!-)(---?)(?!-)")
_KEEP = {"{": "\ue001", "}": "\ue002", "~": "\ue003", "-": "\ue004"}
"""Signs that are meant, apart from those that are markup, for as long as that is read."""


def read_latex(text: str) -> str:
    """A field as plain text on one line: accents composed, commands that only dress it dropped."""
    plain = text.translate(dict.fromkeys(range(0xE001, 0xE005)))
    plain = _COMMAND.sub(_read_command, plain)
    plain = plain.replace("{-}", _KEEP["-"])
    plain = _DASHES.sub(lambda found: "—" if len(found[1]) == 3 else "–", plain)
    plain = plain.replace("~", " ").replace("{", "").replace("}", "")
    for sign, kept in _KEEP.items():
        plain = plain.replace(kept, sign)
    return unicodedata.normalize("NFC", " ".join(plain.split()))


def _read_command(found: re.Match[str]) -> str:
    if found["accent"]:
        letter = (found["in"] if found["in"] is not None else found["bare"]) or ""
        letter = {"\\i": "i", "\\j": "j"}.get(letter, letter.removeprefix("\\"))
        sign = found["accent"]
        if not letter:
            return _KEEP.get(sign, sign)
        return letter + _ACCENTS[sign]
    if found["word"]:
        letter = _LETTERS.get(found["word"], "")
        if letter in ("\\{", "\\}", "~"):
            return _KEEP[letter[-1]]
        return letter
    sign = found["sign"]
    return "" if sign in "/,;!@" else _KEEP.get(sign, sign if sign not in "\\ " else " ")
