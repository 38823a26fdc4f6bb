"""What a model's message says: without its thoughts, and without going round in circles."""

import json
import re

from langchain_core.messages import AIMessage, BaseMessage

LOOP_TIMES = 4
"""A text whose end says the same so often goes round in circles ..."""

LOOP_CHARACTERS = 160
"""... if that is so long."""

LOOKED_AT = 4_000
"""Characters of the end of a text that are looked at for it."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # an answer may break off inside an emoji
_THOUGHT_TAGS = ("think", "thinking", "thought", "reasoning")
_CHANNEL = "<|channel|>"
_FINAL = "<|channel|>final<|message|>"
_SPECIAL_END = re.compile(r"(?:<\|[a-z_]{1,20}\|>|</s>)\Z")


def extract_answer(message: AIMessage) -> str:
    """What an answer says: its text, or the JSON of the arguments of its tool call."""
    if message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    text = extract_text(message)
    if not text and message.invalid_tool_calls:
        return (message.invalid_tool_calls[0]["args"] or "").strip()
    return text


def extract_text(message: BaseMessage) -> str:
    """The text of an answer without the thoughts that some models put before it."""
    text = _LONE_SURROGATE.sub("\ufffd", str(message.text))
    return drop_thoughts(text).strip()


def drop_thoughts(text: str) -> str:
    """The text without thoughts at its beginning; "" where they never end."""
    text = _drop_channels(text.lstrip())
    place = 0
    while tag := next((one for one in _THOUGHT_TAGS if text.startswith(f"<{one}>", place)), None):
        place = text.find(f"</{tag}>", place)
        if place < 0:
            return ""
        place += len(f"</{tag}>")
        while text[place : place + 1].isspace():
            place += 1
    text = text[place:]
    for tag in _THOUGHT_TAGS:
        # many servers keep the opening tag for themselves; the closing one ends a line then
        before, closed, rest = text.partition(f"</{tag}>")
        if closed and f"<{tag}>" not in before and (not before.strip() or before.endswith("\n")):
            return rest
    return text


def _drop_channels(text: str) -> str:
    """Of gpt-oss' channels the final one, where a server hands them all over."""
    if _CHANNEL in text[:200]:
        _, found, final = text.rpartition(_FINAL)
        text = final if found else ""
    elif text.startswith("analysis") and "assistantfinal" in text:
        text = text.partition("assistantfinal")[2]
    end = len(text)
    while True:
        while text[end - 1 : end].isspace():
            end -= 1
        special = _SPECIAL_END.search(text, max(0, end - 24), end)
        if special is None:
            return text[:end]
        end = special.start()


def find_loop(text: str) -> int | None:
    """Where a text's end begins to repeat itself, its first round not counted; None if nowhere."""
    end = text[-LOOKED_AT:].rstrip()
    backwards = end[::-1]
    borders = [0] * len(backwards)
    best, length = 0, 0
    for place in range(1, len(backwards)):  # the longest border of each beginning (Knuth-Morris)
        while length and backwards[place] != backwards[length]:
            length = borders[length - 1]
        length += backwards[place] == backwards[length]
        borders[place] = length
        period, size = place + 1 - length, place + 1
        if size >= max(LOOP_CHARACTERS, LOOP_TIMES * period):
            best = size
    if not best:
        return None
    period = best - borders[best - 1]
    if not any(character.isalnum() for character in backwards[:period]):
        return None  # the rule of a table
    return max(0, len(text) - LOOKED_AT) + len(end) - best + period


def cut_loop(text: str) -> tuple[str, bool]:
    """The text up to where it repeats itself, and whether it did."""
    looped = False
    while (place := find_loop(text)) is not None:
        # the sentence before the loop may end like the loop's own: that end belongs to both
        place += text[place : place + 1] in (".", "!", "?")
        text, looped = text[:place].rstrip(), True
    return text, looped
