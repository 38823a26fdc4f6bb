"""Bibliographies and Obsidian vaults among files."""

import os
from pathlib import Path
from urllib.parse import quote

from test_files import changes, documents, versions, write
from tiny_documents import SENTENCE, pdf

from connectors.registry import make_syncing_connector
from connectors.sync import synchronise
from library.library import Library
from schema.documents import Gone, Skipped, Unchanged
from schema.search import SearchOptions

HOLM = "@article{holm, title={Otters}, author={Holm, Anna}, year=2024, doi={10.1234/o}, %s}\n"
LI = "@misc{li, title={Stones}, abstract={Stones are hard.}}\n"


def library_of(folder: Path) -> Path:
    """A bibliography beside the files that it names, and another file."""
    (folder / "files").mkdir(parents=True)
    (folder / "files" / "otter paper.pdf").write_bytes(pdf())
    write(folder / "other.md", "Something else altogether.")
    return write(folder / "refs.bib", HOLM % "file={P:files/otter paper.pdf:application/pdf}" + LI)


async def test_an_entry_and_its_file_are_documents_with_what_the_entry_says(tmp_path: Path) -> None:
    refs = library_of(tmp_path)
    found = {one.uri: one for one in documents(await changes(tmp_path))}
    entry = found[f"{refs.as_uri()}/holm"]
    file = found[f"{refs.as_uri()}/holm/{quote('files/otter paper.pdf', safe='')}"]
    assert set(found) == {
        entry.uri,
        file.uri,
        f"{refs.as_uri()}/li",
        (tmp_path / "other.md").as_uri(),
    }  # the file is not read a second time as one like others
    assert SENTENCE in file.text
    for one in (entry, file):
        assert (one.title, one.author, one.published) == ("Otters", "Anna Holm", "2024")
        assert one.url == "https://doi.org/10.1234/o"
    assert "Stones are hard." in found[f"{refs.as_uri()}/li"].text


async def test_a_bibliography_is_a_location_of_its_own(tmp_path: Path) -> None:
    refs = library_of(tmp_path)
    assert len(documents(await changes(refs))) == 3


async def test_only_an_entry_that_changed_is_read_again_and_one_that_went_is_gone(
    tmp_path: Path,
) -> None:
    refs = library_of(tmp_path)
    known = versions(await changes(tmp_path))
    write(refs, HOLM.replace("Otters", "Sea otters") % "")
    later = await changes(tmp_path, known)
    (changed, now_like_others) = documents(later)
    assert changed.title == "Sea otters"
    assert now_like_others.uri == (tmp_path / "files" / "otter paper.pdf").as_uri()
    gone = {one.uri for one in later if isinstance(one, Gone)}
    place = quote("files/otter paper.pdf", safe="")
    assert gone == {f"{refs.as_uri()}/li", f"{refs.as_uri()}/holm/{place}"}


async def test_a_file_that_changed_is_read_again_and_its_entry_is_not(tmp_path: Path) -> None:
    library_of(tmp_path)
    known = versions(await changes(tmp_path))
    path = tmp_path / "files" / "otter paper.pdf"
    os.utime(path, (1, 1))
    later = await changes(tmp_path, known)
    assert [one.url for one in documents(later)] == ["https://doi.org/10.1234/o"]
    assert sum(isinstance(one, Unchanged) for one in later) == 3


async def test_what_broke_in_a_bibliography_is_told_and_not_taken_for_gone(tmp_path: Path) -> None:
    refs = library_of(tmp_path)
    known = versions(await changes(tmp_path))
    write(refs, refs.read_text().replace("{Stones}", "{Stones"))
    later = await changes(tmp_path, known)
    (told,) = [one for one in later if isinstance(one, Skipped)]
    assert told.reason == "refs.bib: 1 entry could not be read"
    assert not [one for one in later if isinstance(one, Gone)]


async def test_a_bib_file_without_entries_is_a_file_like_others(tmp_path: Path) -> None:
    write(tmp_path / "refs.bib", "Nothing but words.")
    write(tmp_path / "data.json", '{"wind": "Turbines feed the grid."}')
    found = await changes(tmp_path)
    assert [one.uri for one in documents(found)] == [(tmp_path / "data.json").as_uri()]
    assert [one.reason for one in found if isinstance(one, Skipped)] == [
        "refs.bib: it holds no text"
    ]


def vault_of(folder: Path) -> Path:
    vault = folder / "My vault"
    write(vault / ".obsidian" / "app.json", "{}")
    note = "---\ntags: [wild, '#coast']\naliases:\n  - Sea otter\ncreated: 2024-05-01\n---\n"
    note += "# Notes on otters\n\nOtters crack shells. ![[Stones#Kinds|stones]] ![[photo.png]]\n"
    write(vault / "Animals" / "Otters.md", f"{note}See [[Animals/Urchins]].\n")
    write(vault / "Stones.md", "---\ntitle: About stones\n---\nFlat stones are the best anvils.\n")
    write(vault / "Animals" / "Urchins.md", "Urchins graze on kelp.\n")
    return vault


async def test_a_note_is_known_by_its_names_and_opens_in_obsidian(tmp_path: Path) -> None:
    vault = vault_of(tmp_path)
    found = {one.title: one for one in documents(await changes(vault))}
    assert set(found) == {"Otters", "About stones", "Urchins"}  # nothing of .obsidian
    otters = found["Otters"]
    assert otters.url == "obsidian://open?vault=My%20vault&file=Animals%2FOtters.md"
    assert otters.aliases == ("Otters", "Animals/Otters", "Sea otter")
    assert otters.published == "2024-05-01"
    assert otters.text.endswith("\n\nTags: wild, coast\n")
    assert " [[Stones#Kinds|stones]] ![[photo.png]]" in otters.text
    assert found["About stones"].aliases == ("Stones",)


async def test_a_vault_is_found_above_and_below_what_is_read(tmp_path: Path) -> None:
    vault = vault_of(tmp_path)
    for place in (tmp_path, vault / "Animals", vault / "Animals" / "Otters.md"):
        found = {one.title: one.url for one in documents(await changes(place))}
        assert found["Otters"].startswith("obsidian://open?vault=My%20vault&file=Animals%2F")
    write(tmp_path / "Plain.md", "# A heading\n\nNo note of the vault.")
    (plain,) = documents(await changes(tmp_path / "Plain.md"))
    assert (plain.title, plain.url) == ("A heading", plain.uri)


async def test_links_and_embedded_notes_lead_to_the_notes_they_name(
    library: Library, tmp_path: Path
) -> None:
    vault = vault_of(tmp_path)
    files = make_syncing_connector("files")
    await synchronise(library, files, str(vault), lambda *_: None)
    found = await library.search("Who cracks shells?", SearchOptions(limit=10, walk_depth=1))
    described = await library.load_documents([hit.document for hit in found.hits])
    assert {one.title for one in described.values()} >= {"Otters", "About stones", "Urchins"}
