"""Google Drive's API: developers.google.com/workspace/drive/api/reference/rest/v3."""

from typing import Any

import pytest
from conformance import SyncConformance, items
from fakes.drive_api import DEEP, MINE, NAMES, OWN, REPORTS, ROOT, TOP, DriveServer
from fakes.provider import KEY, Item
from tiny_documents import SENTENCE, docx, pdf

from connectors.indexed.drive import client
from connectors.registry import make_syncing_connector
from library.library import Library
from schema.documents import Document, Skipped, Unchanged
from schema.errors import ConnectorError, InputError


class TestDrive(SyncConformance[DriveServer]):
    name = "drive"
    key = "GOOGLE_REFRESH_TOKEN"
    location = TOP
    batch = 2_000
    provider = DriveServer

    def environment(self, url: str) -> dict[str, str]:
        return {
            "QUIRE_DRIVE_BASE_URL": url,
            "GOOGLE_CLIENT_ID": "1.apps.googleusercontent.com",
            "GOOGLE_CLIENT_SECRET": "GOCSPX-1",
            "GOOGLE_REFRESH_TOKEN": KEY,
        }

    def expected(self, item: Item) -> dict[str, Any]:
        own = item.number % 2 == 0
        name = item.title if own else f"{item.title}.md"
        link = f"docs.google.com/document/d/id-{item.number}/edit" if own else "drive.google.com"
        return {
            "uri": f"{ROOT}/id-{item.number}",
            "url": f"https://{link}?usp=drivesdk",
            "title": name,
            "author": "Ada Lovelace",
            "published": "2024-05-01",
            "path": f"Energy∕Wind/{['', 'Reports/', 'Reports/2024/'][item.number % 3]}{name}",
        }

    async def test_a_folder_may_be_given_by_its_link(self) -> None:
        links = (f"drive/folders/{TOP}?usp=sharing", f"drive/u/0/folders/{TOP}", f"open?id={TOP}")
        with self.serving(items(1)):
            for link in links:
                assert (
                    await make_syncing_connector("drive").find_root(
                        f"https://drive.google.com/{link}"
                    )
                    == ROOT
                )

    async def test_what_is_no_folder_is_answered_with_what_to_write(self) -> None:
        with self.serving(items(1)):
            for location in ("1Nowhere", "id-1", "Energy/Wind", "it's", "", "a' or '"):
                told = f"no folder '{location}': give the id or link of a"
                with pytest.raises(InputError, match=told):
                    await make_syncing_connector("drive").find_root(location)

    async def test_all_of_the_account_is_listed_with_what_others_shared(self) -> None:
        server = self.provider(items(5))
        server.folders = [("1Reports", MINE), ("1Wind_top-A", "1OfSomebody"), (DEEP, TOP)]
        server.parents = {1: [MINE], 2: [REPORTS], 3: [DEEP], 4: [], 5: ["1OfSomebody"]}
        found = await self.synced(server, location="*")
        assert {one.uri for one in found} == {f"drive://all/id-{n}" for n in range(1, 6)}
        assert [one.path for one in found] == [
            "My Drive/Wind turbine 1.md",
            "My Drive/Reports/Wind turbine 2",
            "Shared with me/Energy∕Wind/2024/Wind turbine 3.md",
            "Shared with me/Wind turbine 4",
            "Shared with me/Wind turbine 5.md",
        ]

    async def test_a_shared_drive_is_searched_as_one(self) -> None:
        server = self.provider(items(3))
        server.shared = "0AShared"
        found = await self.synced(server)
        assert [one.author for one in found] == ["", "", ""]

    async def test_many_folders_are_walked_once_each(self) -> None:
        server = self.provider(items(70))
        names = {**NAMES, **{f"f{n}": f"f{n}" for n in range(71)}}
        self.monkeypatch.setattr("fakes.drive_api.NAMES", names)
        server.folders = [(f"f{n}", f"f{n - 1}" if n % 2 else TOP) for n in range(71)]
        server.folders += [("f0", "f1")]  # a circle
        server.parents = {n: [f"f{n}", TOP] for n in range(1, 71)}
        found = await self.synced(server)
        assert {one.uri for one in found} == {f"{ROOT}/id-{n}" for n in range(1, 71)}
        listings = [call for call in server.calls if "/files?" in call]
        assert len(listings) == 5  # the top, 36 folders in it by 25, and 35 in those

    async def test_what_is_in_the_bin_is_gone(self, library: Library) -> None:
        with self.serving(items(3)) as server:
            await self.sync(library)
            server.bin = {2}
            assert await self.sync(library) == {"unchanged": 2, "removed": 1}

    @pytest.mark.parametrize("change", [{"name": "New name"}, {"parents": [TOP]}], ids=str)
    async def test_what_was_renamed_or_moved_is_read_again(self, change: dict[str, Any]) -> None:
        """Its content and checksum stay the same."""
        server = self.provider(items(2))
        before = await self.synced(server)
        server.changed[1] = change
        first, second = await self.synced(server, *before)
        assert isinstance(second, Unchanged)
        assert isinstance(first, Document)
        assert first.path != before[0].path

    async def test_every_kind_is_read_in_its_way(self) -> None:
        word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        picture = (
            b"![][image1]\n\nWind.\n\n[image1]: <data:image/png;base64," + b"A" * 99_999 + b">\n"
        )
        texts = {
            ("a.pdf", "application/pdf", pdf()): SENTENCE,
            ("Letter", word, docx()): SENTENCE,
            ("a.TXT", "text/plain", "Grüße".encode("cp1252")): "Grüße",
            ("Sheet", f"{OWN}spreadsheet", b"Site,Power\r\nA,2\r\n"): "Site,Power\r\nA,2",
            ("Slides", f"{OWN}presentation", b"\xef\xbb\xbfOne slide"): "One slide",
            ("Doc", f"{OWN}document", picture): "![][image1]\n\nWind.",
            ("Empty", f"{OWN}document", b""): "",
        }
        server = self.provider(items(len(texts)))
        server.kinds = dict(enumerate(texts, start=1))
        found = await self.synced(server)
        assert [(one.title, one.text.strip()) for one in found] == [
            (kind[0], text) for kind, text in texts.items()
        ]

    async def test_what_cannot_be_read_is_not_downloaded(self) -> None:
        server = self.provider(items(4))
        server.kinds = {
            1: ("a.mp4", "video/mp4", b"0"),
            2: ("Form", f"{OWN}form", b"0"),
            3: ("large.pdf", "application/pdf", pdf()),
            4: ("huge.pdf", "application/pdf", pdf()),
        }
        server.changed = {3: {"size": f"{20 * 2**20 + 1}"}, 4: {"size": "9" * 5000}}
        found = await self.synced(server)
        assert [one.reason for one in found] == [
            "a.mp4: there is no reader for this format",
            "Form: there is no reader for this format",
            "large.pdf: it is larger than 20 MB",
            "huge.pdf: it is larger than 20 MB",
        ]
        assert server.sent == []

    async def test_a_download_ends_where_it_is_too_large(self) -> None:
        self.monkeypatch.setattr(client, "MAX_BYTES", 5_000)
        server = self.provider(items(2))
        server.kinds[1], server.changed[1] = ("a.md", "text/plain", b"x" * 6_000), {"size": None}
        first, second = await self.synced(server)
        assert first == Skipped(uri=f"{ROOT}/id-1", reason="a.md: it is too large")
        assert isinstance(second, Document)

    async def test_a_shortcut_is_passed_over(self) -> None:
        server = self.provider(items(1))
        server.kinds[1] = ("Link", f"{OWN}shortcut", b"")
        assert await self.synced(server) == []
        assert await self.synced(server, location="*") == []

    async def test_a_file_that_is_not_given_is_skipped_and_kept(self) -> None:
        server = self.provider(items(4))
        known = await self.synced(server)
        server.put(*(Item(n, f"Turbine {n}", "New.") for n in (1, 2, 3)))
        server.refused = {1: "cannotDownloadFile", 2: "exportSizeLimitExceeded", 3: "notFound"}
        *skipped, unchanged = await self.synced(server, *known)
        assert isinstance(unchanged, Unchanged)
        assert [one.reason for one in skipped] == [
            "Turbine 1.md: Google Drive does not let this account download it",
            "Turbine 2: it is too large",
            "Turbine 3.md: it vanished while it was read",
        ]

    async def test_a_limit_that_only_the_body_tells_of_passes(self) -> None:
        server = self.provider(items(3))
        server.limited = ["userRateLimitExceeded", "rateLimitExceeded"]
        assert len(await self.synced(server)) == 3

    async def test_another_refusal_does_not_pass(self) -> None:
        server = self.provider(items(3))
        server.limited = ["domainPolicy"]
        with pytest.raises(ConnectorError, match="check what GOOGLE_REFRESH_TOKEN may do") as told:
            await self.synced(server)
        assert not told.value.retryable

    async def test_a_token_is_asked_for_again_when_it_expires(self) -> None:
        """The server takes the newest only."""
        server = self.provider(items(1))
        assert len(await self.synced(server)) == 1
        assert server.tokens == 2  # for the root, and for the sync
        server = self.provider(items(1))
        server.lives = 60
        assert len(await self.synced(server)) == 1
        assert server.tokens == len(server.calls) / 2

    async def test_a_revoked_token_is_named(self) -> None:
        with self.serving(items(1)):
            self.monkeypatch.setenv("GOOGLE_REFRESH_TOKEN", "revoked")
            with pytest.raises(ConnectorError, match="check GOOGLE_REFRESH_TOKEN") as told:
                await make_syncing_connector("drive").find_root(TOP)
        assert (told.value.code, told.value.retryable) == ("connector_key", False)

    @pytest.mark.parametrize(
        "end",
        [{"incompleteSearch": True}, {"nextPageToken": "~!!~0"}, {"files": None}, {"files": [7]}],
        ids=str,
    )
    async def test_a_listing_that_is_not_whole_is_a_failure(self, end: dict[str, Any]) -> None:
        server = self.provider(items(2))
        server.end = end
        with pytest.raises(ConnectorError, match="could not be read"):
            await self.synced(server)

    @pytest.mark.parametrize("odd", [None, 7, [None]], ids=repr)
    async def test_odd_fields_are_passed_over(self, odd: Any) -> None:
        server = self.provider(items(1))
        names = ("name", "md5Checksum", "size", "createdTime", "webViewLink", "owners")
        server.changed[1] = dict.fromkeys(names, odd)
        (found,) = await self.synced(server)
        assert (found.title, found.author, found.published, found.url) == ("", "", "", "")
        assert found.path == "Energy∕Wind/Reports/-"
