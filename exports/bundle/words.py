"""The words of a text without what a page may change of their form: markup, blanks, signs.

So a page whose words are the same is told from one that says something else.
"""

import re
import unicodedata
from hashlib import sha256

_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)")
_MARKUP = re.compile(r"[*_`#|>\\~]+|^\s*(?:[-+•]|\d{1,3}[.)])\s+|^[\s:|-]+$", re.MULTILINE)
_INVISIBLE = re.compile("[\xad\u200b-\u200f\u2060\ufeff]")
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′´`", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_BLANKS_AT_STOPS = re.compile(r"\s+(?=[.,;:!?)\]])|(?<=[(\[])\s+")


def extract_words(text: str) -> str:
    """The words on one line, with plain signs."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(_SIGNS)
    plain = _MARKUP.sub(" ", _LINK.sub(r"\1", plain))
    return _BLANKS_AT_STOPS.sub("", " ".join(plain.split()))


def hash_text(text: str) -> str:
    """The SHA-256 of a text in UTF-8."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def hash_words(text: str) -> str:
    """The SHA-256 of its words."""
    return hash_text(extract_words(text))
