"""`quire verify`: whether a bundle holds, on any machine, without database, key or network."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import JsonOption
from cli.safe_output import print_json, print_stdout, to_one_line
from schema.errors import InputError, QuireError

if TYPE_CHECKING:
    from exports.bundle.parts import Bundle, Member
    from exports.bundle.verify import Verification
    from serving.verify import LiveSource


def verify(
    file: Annotated[Path, typer.Argument(help="What quire export ID --to bundle wrote.")],
    live: Annotated[
        bool, typer.Option("--live", help="Fetch the cited pages, too, and say what changed.")
    ] = False,
    warc: Annotated[
        Path | None, typer.Option(help="WARC file with the cited pages, to compare them with.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(help="Public key that it must be signed with.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Repeat each check of a bundle that needs no model, and say what differs."""
    from exports.bundle.signing import read_public_key
    from exports.bundle.verify import verify_bundle

    if live and warc:
        raise InputError("--live fetches the pages, --warc reads them from a file: take one.")
    data = _read(file)
    archive = _describe_archive(warc) if warc else None
    try:
        found, parts = verify_bundle(data, read_public_key(key) if key else "", archive)
    except InputError:
        raise
    except QuireError as error:
        raise QuireError(f"{file}: {error}") from error
    compared = "live" if live else "archived" if warc else ""
    sources = _compare_pages(parts, warc) if compared else []
    lost = [one for one in sources if one.state in ("gone", "changed in the quote")]
    if as_json:
        print_json(_describe(found, sources, compared))
    else:
        _print(found, sources, compared, trusted=key is not None)
    if found.differences or lost:
        raise typer.Exit(1)


def _describe_archive(warc: Path) -> "Member":
    from serving.archives import describe_archive

    return describe_archive(warc)


def _compare_pages(parts: "Bundle", warc: Path | None) -> "list[LiveSource]":
    """What became of the pages on the web, or how they stand in a WARC file."""
    from serving.verify import check_archived, check_live

    return asyncio.run(check_archived(parts, warc) if warc else check_live(parts))


def _read(file: Path) -> bytes:
    from exports.bundle.archive import MOST_BYTES

    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{file} could not be read ({error.strerror}).") from error


def _print(
    found: "Verification", sources: "list[LiveSource]", compared: str, *, trusted: bool
) -> None:
    from exports.bundle.signing import name_key

    head, made = found.manifest, found.manifest["made_with"]
    by = f" by Quire {made['written']}" if made["written"] else ""
    print_stdout(
        f"Report {head['id']}, version {head['version']}, written {head['written']}{by}: "
        f"{to_one_line(head['title'])}"
    )
    print_stdout(f"quotes: {found.quotes} of {found.citations} stand in their sources' text")
    print_stdout(f"verdicts: {found.repeated} of {found.citations} repeated by words, the same")
    for why, count in sorted(found.unrepeated.items()):
        print_stdout(f"  {count} cannot be repeated: {to_one_line(why)}")
    if found.by_models:
        models = [made["models"].get(role, "") for role in ("checker", "judge")]
        who = to_one_line(" and ".join(filter(None, models))) or "a model"
        print_stdout(f"  {found.by_models} are by {who}: of these the words' own check is repeated")
    if found.signature:
        name = name_key(found.signature["public_key"])
        holds = all(one.kind != "signature" for one in found.differences)
        vouched = "the key you gave" if trusted else "nobody vouches for it here: give --key"
        print_stdout(f"signature: by {name} ({vouched if holds else 'which does not hold'})")
    else:
        print_stdout("signature: none")
    for one in sources:
        moved = f", now at {one.address}" if one.address else ""
        reason = f" ({one.reason})" if one.reason else ""
        print_stdout(to_one_line(f"[{one.number}] {one.state}{moved}{reason}: {one.url}"))
        for quote in one.quotes:
            if quote.state != "same":
                print_stdout(f"  was: {to_one_line(quote.was)}")
                print_stdout(f"  now: {to_one_line(quote.now) or 'nothing like it'}")
    for difference in found.differences:
        print_stdout(f"differs ({difference.kind}): {to_one_line(difference.detail)}")
    if not found.differences:
        print_stdout("Nothing in the file differs.")
    lost = sum(one.state in ("gone", "changed in the quote") for one in sources)
    if compared:
        print_stdout(f"{compared}: {lost} of {len(sources)} sources are gone or changed in a quote")


def _describe(found: "Verification", sources: "list[LiveSource]", compared: str) -> dict[str, Any]:
    """The outcome as JSON tells it."""
    from dataclasses import asdict

    told = asdict(found)
    return told | {compared: [asdict(one) for one in sources]} if compared else told
