"""Whether a work was retracted."""

from collections.abc import Iterator
from typing import Any

import pytest
from fakes.registries import Registries

from connectors.open_access.retractions import Retraction, find_retraction
from schema.errors import ConnectorError

DOI, NOTICE = "10.1234/otter.7", "10.1234/notice.1"
DAY = {"updated": {"date-parts": [[2025, 3, 4]], "date-time": "2025-03-04T00:00:00Z"}}


@pytest.fixture
def registries(monkeypatch: pytest.MonkeyPatch) -> Iterator[Registries]:
    with Registries() as server:
        server.lead(monkeypatch)
        yield server


async def test_a_work_says_who_retracted_it_and_when(registries: Registries) -> None:
    told = [{"type": "correction", "DOI": "10.1234/c", **DAY}]
    told.append({"type": "retraction", "DOI": NOTICE, "source": "retraction-watch", **DAY})
    registries.crossref[DOI] = {"DOI": DOI, "updated-by": told}
    assert await find_retraction(DOI) == Retraction("retraction", "2025-03-04", NOTICE)


async def test_a_notice_that_the_work_does_not_know_counts(registries: Registries) -> None:
    registries.crossref[DOI] = {"DOI": DOI}
    update = {"type": "Expression-of-concern", "DOI": DOI, **DAY}
    registries.crossref[NOTICE] = {"DOI": NOTICE, "update-to": [update]}
    assert await find_retraction(DOI) == Retraction("concern", "2025-03-04", NOTICE)


async def test_a_notice_is_told_from_what_it_retracts(registries: Registries) -> None:
    update = {"type": "retraction", "DOI": DOI, **DAY}
    registries.crossref[NOTICE] = {"DOI": NOTICE, "update-to": [update]}
    assert await find_retraction(NOTICE) == Retraction("notice", notice=DOI)


async def test_a_corrected_work_stands(registries: Registries) -> None:
    told = [{"type": "correction", "DOI": "10.1234/c", **DAY}]
    registries.crossref[DOI] = {"DOI": DOI, "updated-by": told}
    registries.openalex[DOI] = {"is_retracted": False}
    assert await find_retraction(DOI) is None


@pytest.mark.parametrize("down", [set[str](), {"crossref"}], ids=str)
async def test_openalex_is_asked_where_crossref_knows_nothing(
    registries: Registries, down: set[str]
) -> None:
    registries.down = down
    registries.openalex[DOI] = {"is_retracted": True}
    assert await find_retraction(DOI) == Retraction("retraction")


async def test_nothing_is_said_where_nobody_answers(registries: Registries) -> None:
    registries.down = {"crossref", "openalex"}
    with pytest.raises(ConnectorError):
        await find_retraction(DOI)


@pytest.mark.parametrize(
    "odd", [7, ["x"], {"date-parts": "x"}, {"date-parts": [["2025"]]}], ids=str
)
async def test_a_day_of_another_form_is_left_out(registries: Registries, odd: Any) -> None:
    told = [{"type": "removal", "DOI": NOTICE, "updated": odd}]
    registries.crossref[DOI] = {"DOI": DOI, "updated-by": told}
    assert await find_retraction(DOI) == Retraction("removal", "", NOTICE)
