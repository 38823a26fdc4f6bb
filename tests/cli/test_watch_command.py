"""`quire watch`: one look from the command line, and a schedule that workers keep."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from command_line import one_sentence, quire

from schema.access import LOCAL_MEMBER
from serving.jobs import find_job_member, open_jobs

PAGE = "# Depth\n\nThe harbour of Veltmoor is 14 metres deep. Its pier was built of oak.\n"


@pytest.fixture
def report_id(space: str, tmp_path: Path) -> str:
    """A report on a folder of one page."""
    (tmp_path / "depth.md").write_text(PAGE)
    done = quire("report", "How deep is the harbour of Veltmoor?", "--files", str(tmp_path),
                 "--space", space)  # fmt: skip
    assert done.code == 0, done.err
    return next(line.split()[1] for line in done.err.splitlines() if line.startswith("report "))


@pytest.mark.slow
def test_it_tells_what_changed_and_then_that_nothing_did(report_id: str, tmp_path: Path) -> None:
    unchanged = quire("watch", report_id)
    assert unchanged.out == "Nothing that the report says has changed in its sources.\n"
    (tmp_path / "depth.md").write_text(PAGE.replace("14 metres", "16 metres"))
    told = quire("watch", report_id)
    assert told.code == 0
    assert "Was: The harbour of Veltmoor is 14 metres deep" in told.out
    assert "Now: The harbour of Veltmoor is 16 metres deep" in told.out
    again = json.loads(quire("watch", report_id, "--json").out)
    assert (again["version"], again["changes"]) == (None, [])
    assert "16 metres" in quire("reports", "show", report_id).out


@pytest.mark.slow
@pytest.mark.usefixtures("own_database")  # whose schedules are no other test's
def test_a_schedule_is_kept_by_whoever_works_and_once(report_id: str, tmp_path: Path) -> None:
    assert quire("watch", report_id, "--every", "1d").code == 0
    assert f"report:{report_id}" in quire("jobs", "list").out
    (tmp_path / "depth.md").write_text(PAGE.replace("14 metres", "17 metres"))

    async def keep() -> list[int]:
        late = datetime.now(UTC) + timedelta(days=3, minutes=1)
        async with open_jobs() as jobs, open_jobs() as others:
            queued = await asyncio.gather(jobs.queue_due(late), others.queue_due(late))
            await jobs.work(find_job_member, wait=False)
            await jobs.schedule_watch(report_id, LOCAL_MEMBER, None)
        return list(queued)

    assert sum(asyncio.run(keep())) == 1  # missed days are made up for once
    assert "17 metres" in quire("reports", "show", report_id).out
    assert f"report:{report_id}" not in quire("jobs", "list").out


def test_what_cannot_be_watched_is_said(report_id: str) -> None:
    unknown = quire("watch", "nosuchid")
    assert one_sentence(unknown).startswith("There is no report nosuchid")
    wrong = quire("watch", report_id, "--every", "often")
    assert one_sentence(wrong) == "--every cannot be “often”: write 30m, 1h, 1d, 1w or off."
