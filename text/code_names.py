"""Commands, options, files and identifiers in a text."""

import re

CODE = re.compile(
    r"`[^`\n]+`|(?<![\w-])--?[A-Za-z][\w-]+|\b[A-Za-z]\w*(?:_\w+)+|"
    r"\b[A-Za-z][\w.]{0,100}\(\)|"  # bounded: "a.a.a.a" begins anew at each dot
    r"(?<!\w)[/~][\w.-]+/[\w./-]+|\b\w+\.(?:py|sh|conf|ini|ya?ml|json|toml|txt|exe|cfg|sql)\b"
)
"""What is written as code, in backticks or not."""


def find_code(text: str) -> frozenset[str]:
    """The commands, options, files and identifiers of a text, without their backticks."""
    return frozenset(found.group().strip("`") for found in CODE.finditer(text))
