"""Slack's mrkdwn as Markdown. Nothing here asks Slack."""

import html
import re
from collections.abc import Mapping
from typing import Any

from connectors.http.client import web_host
from connectors.json_fields import get_records, get_string

TITLE_CHARACTERS = 80

PERSON_SUBTYPES = {"", "file_share", "me_message", "thread_broadcast"}
"""Subtypes of what people write; all others tell of joins, topics, calls and the like."""

_MENTION = re.compile(r"<@([UW][A-Z0-9]+)")
_LINK = re.compile(r"\[([^\[\]]+)\]\(https?://[^\s()]+\)")
_MARKUP = re.compile(r"<([^<>]*)>|&(?:amp|lt|gt);")
"""What is markup in mrkdwn; Slack escapes every other <, > and &."""


def is_from_person(message: Mapping[str, Any]) -> bool:
    """Whether a person wrote it, and no app, bot or Slack itself."""
    kind = message.get("subtype") or ""
    return (
        kind in PERSON_SUBTYPES and not message.get("bot_id") and message.get("user") != "USLACKBOT"
    )


def find_users(message: Mapping[str, Any]) -> set[str]:
    """The users whose names are needed to show a message: its own, and those it speaks to."""
    return {get_string(message, "user"), *_MENTION.findall(get_string(message, "text"))} - {""}


def format_message(
    message: Mapping[str, Any], users: Mapping[str, str], channels: Mapping[str, str]
) -> str:
    """What a message says, and the names of its files.

    Args:
        message: as Slack gives it.
        users: names by id.
        channels: names by id.
    """
    text = _MARKUP.sub(
        lambda found: _replace_markup(found, users, channels), get_string(message, "text")
    ).strip()
    held = get_records(message.get("files"))
    files = [name for one in held if (name := get_string(one, "name") or get_string(one, "title"))]
    return "\n".join(part for part in (text, f"Files: {', '.join(files)}" if files else "") if part)


def make_title(text: str) -> str:
    """The first line of a text without its addresses, cut to the length of a title."""
    line = " ".join(_LINK.sub(r"\1", text.strip().partition("\n")[0]).split())
    return line if len(line) <= TITLE_CHARACTERS else f"{line[: TITLE_CHARACTERS - 1].rstrip()}…"


def _replace_markup(
    found: re.Match[str], users: Mapping[str, str], channels: Mapping[str, str]
) -> str:
    inside = found[1]
    if inside is None:
        return html.unescape(found[0])
    target, _, label = (html.unescape(part) for part in inside.partition("|"))
    if target.startswith("@"):
        return f"@{users.get(target[1:]) or label or target[1:]}"
    if target.startswith("#"):
        return f"#{label or channels.get(target[1:]) or target[1:]}"
    if target.startswith("!"):  # everybody here, a group of users, or a time
        return label or f"@{target[1:].partition('^')[0]}"
    if label and label != target and web_host(target):
        return f"[{label}]({target})"
    return label or target
