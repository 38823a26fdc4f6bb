"""Characters of a Word document that XML writes as entities: kreuzberg 4.10 drops them.

"Tom &amp; Jerry" comes as "Tom Jerry", "caf&#233;" as "caf". So each has a placeholder while
kreuzberg reads.
"""

import re

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_PLACEHOLDERS = {character: chr(0x10FF00 + index) for index, character in enumerate("&<>\"'")}
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));")
_CHARACTERS = {stand_in: character for character, stand_in in _PLACEHOLDERS.items()}
_PLACEHOLDER = re.compile(f"([{''.join(_CHARACTERS)}])(#?[0-9A-Za-z]{{1,32}};)?")


def insert_placeholders(name: str, content: bytes) -> bytes:
    """A file of an archive, without entities if it is one of a Word document with text."""
    if not (name.startswith("word/") and name.endswith(".xml")):
        return content
    try:
        return _ENTITY.sub(_to_placeholder, content.decode()).encode()
    except UnicodeDecodeError:  # Word writes UTF-8
        return content


def restore_characters(markdown: str) -> str:
    """What kreuzberg read, with the characters, escaped where Markdown gives them a meaning."""
    return _PLACEHOLDER.sub(_to_character, markdown)


def _to_placeholder(entity: re.Match[str]) -> str:
    named, number, hexadecimal = entity.groups()
    code = int(number) if number else int(hexadecimal, 16) if hexadecimal else ord(_NAMED[named])
    if code < 0x20 or 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF) or code > 0x10FFFF:
        return " "
    return _PLACEHOLDERS.get(chr(code), chr(code))


def _to_character(found: re.Match[str]) -> str:
    character, entity = _CHARACTERS[found[1]], found[2] or ""
    return ("\\" if character in "<>" or (character == "&" and entity) else "") + character + entity
