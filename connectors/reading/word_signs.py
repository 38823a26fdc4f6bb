"""The signs of a Word document that XML writes as entities: kreuzberg 4.10 drops them.

"Tom &amp; Jerry" comes as "Tom Jerry", "caf&#233;" as "caf". So a sign of its own stands in the
place of each while kreuzberg reads.
"""

import re

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_STAND_INS = {sign: chr(0x10FF00 + place) for place, sign in enumerate("&<>\"'")}
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));")
_SIGNS = {stand_in: sign for sign, stand_in in _STAND_INS.items()}
_STAND_IN = re.compile(f"([{''.join(_SIGNS)}])(#?[0-9A-Za-z]{{1,32}};)?")


def with_stand_ins(name: str, content: bytes) -> bytes:
    """A file of an archive, without entities if it is one of a Word document with text."""
    if not (name.startswith("word/") and name.endswith(".xml")):
        return content
    try:
        return _ENTITY.sub(_stand_in, content.decode()).encode()
    except UnicodeDecodeError:  # Word writes UTF-8
        return content


def with_signs(markdown: str) -> str:
    """What kreuzberg read, with the signs, escaped where Markdown would read more into them."""
    return _STAND_IN.sub(_sign, markdown)


def _stand_in(entity: re.Match[str]) -> str:
    named, number, hexadecimal = entity.groups()
    code = int(number) if number else int(hexadecimal, 16) if hexadecimal else ord(_NAMED[named])
    if code < 0x20 or 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF) or code > 0x10FFFF:
        return " "
    return _STAND_INS.get(chr(code), chr(code))


def _sign(found: re.Match[str]) -> str:
    sign, entity = _SIGNS[found[1]], found[2] or ""
    return ("\\" if sign in "<>" or (sign == "&" and entity) else "") + sign + entity
