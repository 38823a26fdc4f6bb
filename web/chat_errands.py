"""Small errands that a chat front end gives its model beside the questions of its users.

Open WebUI asks for a title, tags, further questions or search words of every conversation, in a
prompt that begins with "### Task:" and ends with the conversation inside `<chat_history>`. A report
about that would take minutes and mean nothing; what is wanted stands in the conversation.
"""

import json
import re

BEGINS = "### Task:"

TITLE_CHARACTERS = 60
MOST_QUESTIONS = 5

_HISTORY = re.compile(r"<chat_history>(.*)</chat_history>", re.DOTALL)
_TURN = re.compile(r"^(USER|ASSISTANT): ?", re.MULTILINE)
_WANTED = re.compile(r'\{\s*"(title|tags|follow_ups|queries|text|prompt)"\s*:')
_QUESTION = re.compile(r"^[-*] (.{1,300}[?？؟])\s*$", re.MULTILINE)


def run_errand(message: str) -> str | None:
    """The answer to an errand; None where the message is a question of a user."""
    if not message.lstrip().startswith(BEGINS):
        return None
    history = _HISTORY.search(message)
    if history is None:  # as of a question with attached passages
        return None
    asked, answered = _split_turns(history[1])
    wanted = _WANTED.search(message[: history.start()] + message[history.end() :])
    match wanted[1] if wanted else "":
        case "title":
            return _dump(title=_shorten(asked))
        case "tags":
            return _dump(tags=["General"])
        case "follow_ups":
            return _dump(follow_ups=_QUESTION.findall(answered)[-MOST_QUESTIONS:])
        case "queries":
            return _dump(queries=[_shorten(asked)] if asked else [])
        case "prompt":
            return _dump(prompt=_shorten(asked))
        case "text":
            return _dump(text="")
    return _shorten(asked)


def _split_turns(history: str) -> tuple[str, str]:
    """What the user said last, and the assistant."""
    said = {"USER": "", "ASSISTANT": ""}
    _, *parts = _TURN.split(history)
    for speaker, text in zip(parts[::2], parts[1::2], strict=True):
        said[speaker] = text.strip()
    return said["USER"], said["ASSISTANT"]


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= TITLE_CHARACTERS:
        return line
    head = line[:TITLE_CHARACTERS]
    return f"{head.rsplit(' ', 1)[0] if ' ' in head else head} …"


def _dump(**value: str | list[str]) -> str:
    return json.dumps(value, ensure_ascii=False)
