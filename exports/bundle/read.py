"""A bundle out of a file that anybody may have made."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, NoReturn, cast

from pydantic import TypeAdapter, ValidationError

from exports.bundle.archive import unpack
from exports.bundle.parts import Bundle, BundledSource, Evidence
from schema.errors import QuireError
from schema.report import Report

MOST_WORK = 1_500_000_000
"""Characters of sources that all citations together may be compared with: some minutes' work."""


class ReadBundle(NamedTuple):
    """A bundle, its members as they stand in its file, and whether that is as it was written."""

    parts: Bundle
    members: Mapping[str, bytes]
    is_sealed: bool


def read_bundle(data: bytes) -> ReadBundle:
    """Read a bundle. All types are right then, and all that is named is there.

    Raises:
        QuireError: it is no bundle, or none that can be checked.
    """
    members, is_sealed = unpack(data)
    try:
        found = {name.removesuffix(".json"): _parse(one) for name, one in members.items()}
        parts = cast("Bundle", _get_adapter().validate_python(found, strict=True))
    except (ValueError, RecursionError) as error:
        raise QuireError(f"It is no bundle that can be read: {_explain(error)}.") from error
    _check_places(parts["report"], parts["evidence"], len(parts["checks"]))
    _check_sources(parts["evidence"])
    _check_work(parts["report"], parts["evidence"])
    return ReadBundle(parts, members, is_sealed)


@cache
def _get_adapter() -> TypeAdapter[Any]:
    return TypeAdapter(Bundle)


def _parse(member: bytes) -> Any:
    def refuse(_: str) -> NoReturn:
        raise ValueError("a number is none")

    def make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            raise ValueError("a name stands twice in an object")
        return made

    return json.loads(member.decode("ascii"), parse_constant=refuse, object_pairs_hook=make_object)


def _explain(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"][:6]))[:200]
        return f"{place}: {first['msg'][:200]}"
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return "a part of it is no JSON that is written as bundles are"


def _refuse(what: str) -> NoReturn:
    raise QuireError(f"It is no bundle that can be checked: {what}.")


def _check_places(report: Report, evidence: Evidence, checks: int) -> None:
    sections = range(len(report["sections"]))
    if len(evidence["sections"]) != len(sections) or checks != len(report["citations"]):
        _refuse("its parts are not of one report")
    listed = [one["number"] for one in report["references"]]
    held = [one["number"] for one in evidence["sources"]]
    if len(set(listed)) < len(listed) or len(set(held)) < len(held) or not {*held} <= {*listed}:
        _refuse("its sources are not those of its reference list")
    for one in [*report["citations"], *report["conflicts"], *report["charts"]]:
        if one["section"] not in sections:
            _refuse("it speaks of a section that is not there")
    if any(one["number"] not in {*held} for one in report["citations"]):
        _refuse("it cites a source that is not there")
    if any(len(row) == 0 for chart in report["charts"] for row in chart["rows"]):
        _refuse("a row of a chart is empty")


def _check_sources(evidence: Evidence) -> None:
    for source in evidence["sources"]:
        end = -1
        for one in source["stretches"]:
            if one["start"] <= end:
                _refuse("parts of a source overlap or are out of order")
            end = one["start"] + len(one["text"])
        if end > source["characters"]:
            _refuse("a part of a source stands behind its end")
    sources = {one["number"]: one for one in evidence["sources"]}
    for section in evidence["sections"]:
        for passage in section["passages"]:
            read = sources.get(passage["number"])
            if read is None or not _holds(read, passage["start"], passage["end"]):
                _refuse("a passage stands in none of its sources")


def _holds(source: BundledSource, start: int, end: int) -> bool:
    return any(
        one["start"] <= start < end <= one["start"] + len(one["text"])
        for one in source["stretches"]
    )


def _check_work(report: Report, evidence: Evidence) -> None:
    """Refuse what could be made to keep a machine at work for hours."""
    work = sum(len(one["text"]) for one in report["sections"])
    for place, section in enumerate(evidence["sections"]):
        lengths: dict[int, int] = {}
        for one in section["passages"]:
            number = one["number"]
            lengths[number] = lengths.get(number, 0) + one["end"] - one["start"]
        work += _count_cited(report, place) * sum(lengths.values())
    if work > MOST_WORK:
        _refuse("it holds more than can be compared in a few minutes")


def _count_cited(report: Report, place: int) -> int:
    """Markers of a section, at most, and its citations."""
    cited: Sequence[Any] = [one for one in report["citations"] if one["section"] == place]
    return max(len(cited), report["sections"][place]["text"].count("["))
