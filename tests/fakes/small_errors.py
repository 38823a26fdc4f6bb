"""How small models err: JSON in every state of disrepair, thoughts, loops, refusals, nothing."""

import json
import re
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from fakes.openai_chat import ChatRequest

EMPTY, LOOPING, REFUSED, THOUGHTFUL, BROKEN = 0.03, 0.03, 0.02, 0.15, 0.30
"""Shares of answers: the first three of all, then of those that are left, then of objects."""

LINES = "Answer with lines of this form"
REFUSAL = "I'm sorry, but I can't help with that request."
THOUGHTS = (
    "<think>\nOkay, the user wants {braces} and a list: [1, 2].\n</think>\n\n",
    "<thinking>Let me look at the sources first.</thinking>\n",
    "Let me see what is asked.\n</think>\n",
)


def err(clever: str, asked: ChatRequest, number: int, seed: int | None) -> str:
    """What a small model says in place of a clever answer.

    Args:
        clever: the answer without errors; where an object is asked for, JSON.
        asked: what was asked.
        number: how often the same was asked.
        seed: of the errors; None for none.
    """
    in_lines = LINES in asked.messages[-1]["content"]
    made = _parse(clever)
    said = _as_lines(made) if in_lines and made is not None else clever
    if seed is None:
        return said
    roll = _Dice(f"{seed} {number} {asked.text}")
    if roll() < EMPTY:
        return ""
    if roll() < LOOPING:
        return f"{said[:120]} " + "and so on and so forth, as was said before, " * 40
    if roll() < REFUSED:
        return REFUSAL
    if made is not None and roll() < BROKEN:
        ways = LINE_WAYS if in_lines else WAYS
        said = ways[int(roll() * len(ways))](said, made)
    if roll() < THOUGHTFUL and not asked.raw.get("tools"):
        said = THOUGHTS[int(roll() * len(THOUGHTS))] + said
    return said


class _Dice:
    """Numbers in 0..1 that follow from a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._thrown = 0

    def __call__(self) -> float:
        self._thrown += 1
        digest = blake2b(f"{self._thrown} {self._text}".encode(), digest_size=6).digest()
        return int.from_bytes(digest) / 2**48


def _parse(text: str) -> dict[str, Any] | None:
    try:
        made = json.loads(text)
    except ValueError:
        return None
    return made if isinstance(made, dict) else None


def _as_lines(made: dict[str, Any], indent: str = "") -> str:
    lines = []
    for name, value in made.items():
        if isinstance(value, list):
            lines.append(f"{indent}{name}:" if value else f"{indent}{name}: none")
            for one in value:
                if isinstance(one, dict):
                    block = _as_lines(one, f"{indent}  ")
                    lines.append(f"{indent}- {block.strip()}")
                else:
                    lines.append(f"{indent}- {one}")
        else:
            plain = {True: "yes", False: "no", None: "none"}
            shown = plain[value] if value is None or isinstance(value, bool) else value
            lines.append(f"{indent}{name}: {shown}")
    return "\n".join(lines)


Way = Callable[[str, dict[str, Any]], str]

WAYS: tuple[Way, ...] = (
    lambda said, _: said[: int(len(said) * 0.7)],
    lambda said, _: f"```json\n{said}\n```",
    lambda said, _: f"Sure! Here is the JSON you asked for:\n\n{said}\n\nLet me know!",
    lambda _, made: repr(made),
    lambda said, _: re.sub(r'"(\w+)":', r"\1:", said),
    lambda said, _: re.sub(r'(\}|")(\s*[\]}])', r"\1,\2", said),
    lambda _, made: json.dumps({name.title(): value for name, value in made.items()}),
    lambda _, made: json.dumps({f"{name}_list": value for name, value in made.items()}),
    lambda _, made: json.dumps({"result": made}),
    lambda said, _: said.replace('",', '"\n'),
)
"""Ways in which JSON is broken."""

LINE_WAYS: tuple[Way, ...] = (
    lambda said, _: re.sub(r"(?m)^(\s*(?:- )?)(\w+):", r"\1**\2:**", said),
    lambda said, _: f"Here you are:\n\n```\n{said}\n```\n\nI hope this helps!",
    lambda said, _: re.sub(r"(?m)^\s+", "", said),
    lambda said, _: re.sub(r"(?m)^\s*- ", "* ", said),
    lambda _, made: json.dumps(made),
    lambda said, _: re.sub(r"(?m)^(\s*(?:- )?)(\w+): (.+)$", r'\1\2: "\3",', said),
)
"""Ways in which lines are other than they were asked for."""
