"""What a repair adds on the points that a section lacks: taken where it cites, put in its place."""

from collections.abc import Mapping, Sequence, Set

from citations.additions import (
    find_block,
    follow_repair,
    insert_addition,
    is_copied,
    join_addition,
    put_in_place,
    split_addition,
)
from citations.evidence_span import SourcePassages
from citations.markers import find_markers, normalise_markers, strip_markers
from citations.repairs import denies_answer
from schema.editing import AddedText, RepairInput, Repairs, RepairsAndAdditions, Replacement
from schema.report import OpenPoint


def list_additions(made: Repairs) -> dict[int, AddedText]:
    """What an answer adds, by the number of its point; of several on one point the first.

    The last comes first: of two that are put behind one sentence the first then stands first.
    """
    given = made.added if isinstance(made, RepairsAndAdditions) else []
    return {one.point: one for one in reversed(given)}


def collect_additions(
    state: RepairInput,
    added: Mapping[int, AddedText],
    known: Set[int],
    support: Mapping[int, SourcePassages],
) -> dict[int, list[Replacement]]:
    """What was written on points that the section lacked: sentences that cite, by the point.

    Those that are worked out of one stand and fall with it, where the writer gives the sums. Behind
    the last one stands the code that it leads to, where a source has it line by line.
    """
    texts = [" ".join(u.facts.text for u in one.sentences) for one in support.values()]
    found: dict[int, list[Replacement]] = {}
    for number, one in added.items():
        blocks, prose = find_block(one.text), one.text
        for block in blocks:
            prose = prose.replace(block, "")
        said = split_addition(normalise_markers(prose, known)[0], state["language"])
        cited = _join_worked_out(said) if one.sums else [*filter(find_markers, said)]
        if cited and blocks and is_copied(blocks[0], texts):
            cited[-1] = f"{cited[-1]}\n\n{blocks[0]}"
        lookup = state["points"][number - 1]
        gap = "" if lookup["answered"] else lookup["sentence"]
        if cited:
            found[number] = [
                Replacement(before="", after=sentence, point=lookup["point"], gap=gap)
                for sentence in cited
            ]
    return found


def _join_worked_out(said: Sequence[str]) -> list[str]:
    """Each sentence that cites, with those behind it that do not."""
    joined: list[str] = []
    for sentence in said:
        if find_markers(sentence):
            joined.append(sentence)
        elif joined:
            joined[-1] = f"{joined[-1]} {sentence}"
    return joined


def place_additions(
    state: RepairInput,
    added: Mapping[int, AddedText],
    additions: Mapping[int, list[Replacement]],
    text: str,
    repaired: Sequence[tuple[str, str]],
) -> tuple[str, list[OpenPoint]]:
    """The section with what was added on its points, each in its place, and what it leaves open.

    An addition that takes the place of a sentence is one replacement: it holds as a whole, or the
    sentence comes back. What words are
    sure that the sources tell does not stay open, nor what they speak of where the answer passes
    over it: it was cut short, or the point did not fit into the prompt.
    """
    language = state["language"]
    rests: dict[str, str] = {}
    for number, found in additions.items():
        said = join_addition(one["after"] for one in found)
        after = follow_repair(added[number].after, repaired, language)
        placed = put_in_place(text, said, after, language) if added[number].instead else None
        if placed:
            text, before, said = placed
            found[:] = [Replacement(**{**found[0], "before": before, "after": said})]
        else:
            text = insert_addition(text, said, after, language)
        rest = " ".join(strip_markers(added[number].rest).split())
        is_open = denies_answer(rest, language)
        rests[state["points"][number - 1]["sentence"]] = rest if is_open else ""
    told = {
        one["sentence"]
        for number, one in enumerate(state["points"], start=1)
        if one["answered"] or (one["spoken_of"] and not _leaves_open(added.get(number), language))
    }
    left_open = []
    for point in state["draft"].get("open", []):
        said = rests.get(point["sentence"], "" if point["sentence"] in told else point["sentence"])
        if said:
            left_open.append(OpenPoint(**{**point, "sentence": said}))
    return text, left_open


def _leaves_open(one: AddedText | None, language: str) -> bool:
    """Whether an answer says of a point that it remains open."""
    said = [one.rest, one.text] if one else []
    return any(denies_answer(strip_markers(text), language) for text in said)
