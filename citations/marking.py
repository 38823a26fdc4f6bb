"""What becomes of sentences that were checked."""

from collections.abc import Sequence
from dataclasses import replace

from citations.checked_sentence import CheckedSentence
from citations.edits import replace_sentences
from citations.markers import locate_markers, normalise_markers, strip_markers
from schema.report import UNSUPPORTED_FLAG
from text.sentences import Sentence

_STOPS, _BEHIND_STOPS = ".!?。！？؟…", " \t\n\"'”’»」)]*_"


def apply_verdicts(
    text: str, found: Sequence[CheckedSentence]
) -> tuple[str, list[CheckedSentence]]:
    """Cut what a model found contradicted and no source supports; flag other facts without support.

    The last sentence of a text that cites anything is not cut: it is flagged. Rows of tables are
    left as they are. A marker without a verdict is dropped: nothing was read of its source.

    Args:
        text: whose markers are normalised.
        found: its sentences as they were checked.

    Returns:
        The text, and the sentences that are left of it, in order.
    """
    changes: list[tuple[Sentence, str]] = []
    left: list[CheckedSentence] = []
    citing = sum(bool(one.verdicts) for one in found)
    for one in found:
        if not one.fails or one.sentence.kind == "table":
            left.append(one)
        elif one.is_contradicted and citing > 1:
            changes.append((one.sentence, ""))
            citing -= 1
        else:
            flagged = flag_unsupported(one.text if one.verdicts else strip_markers(one.text))
            changes.append((one.sentence, flagged))
            left.append(replace(one, text=flagged))
    # a cut may part two backticks, and what was code is then a marker that nobody wrote as one
    read = {number for one in found for number in one.verdicts}
    return normalise_markers(replace_sentences(text, changes), read)[0], left


def flag_unsupported(text: str) -> str:
    """A sentence with the flag behind its last marker, or before its stop, once."""
    text = text.replace(f" {UNSUPPORTED_FLAG}", "")
    end = max((marker.end for marker in locate_markers(text)), default=0)
    if not end:
        end = len(text.rstrip(_BEHIND_STOPS).rstrip(_STOPS))
    return f"{text[:end]} {UNSUPPORTED_FLAG}{text[end:]}" if end else text
