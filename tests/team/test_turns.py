"""Turns over several workers: never more than there are, fair, and free again after a kill."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from schema.turns import share_turns, take_turn
from team.store import TeamStore, open_team
from team.turns import SharedTurns
from team.usage import load_usage

WORKER = """
import asyncio, sys, time
from library.database.connections import close_databases
from schema.turns import share_turns, take_turn
from team.turns import SharedTurns

async def ask(user):
    async with take_turn("models", 3, user):
        print("in", time.time(), flush=True)
        await asyncio.sleep(float(sys.argv[2]))
        print("out", time.time(), flush=True)

async def main():
    share_turns(SharedTurns())
    await asyncio.gather(*(ask(f"user{number % 5}") for number in range(int(sys.argv[1]))))
    await close_databases()

asyncio.run(main())
"""


@pytest.fixture
async def team(own_database: str) -> AsyncIterator[TeamStore]:
    """The team's tables in a database of the test's own, in a process that shares its turns."""
    opened = await open_team()
    share_turns(SharedTurns())
    yield opened
    share_turns(None)


async def test_a_turn_ends_with_its_user_s_bill(team: TeamStore, space: str) -> None:
    async with take_turn("models", 1, space) as turn:
        turn.input_tokens, turn.output_tokens = 70, 30
    async with take_turn("models", 1, space) as turn:
        turn.input_tokens = 5
    used = await load_usage(team, space)
    assert (used.calls, used.tokens) == (2, 105)


async def wait_for_tickets(team: TeamStore, count: int) -> None:
    """Until so many have a turn, two of them, or wait for one."""
    asked = "SELECT count(*) = %s AND count(*) FILTER (WHERE taken) = 2 FROM quire.turns"
    while True:
        async with team.connect() as connection:
            cursor = await connection.execute(asked, (count,))
            if await cursor.fetchone() == (True,):
                return
        await asyncio.sleep(0.02)


@pytest.mark.slow
async def test_who_has_little_under_way_goes_first(team: TeamStore) -> None:
    keeper, order = SharedTurns(), list[str]()
    first_ends, third_is_in = asyncio.Event(), asyncio.Event()

    async def ask(user: str) -> None:
        async with keeper.take("m", 2, user):
            order.append(user)
            if len(order) == 1:
                await first_ends.wait()
            elif len(order) == 2:  # goes on: with none of hers under way, ada would come before bob
                await third_is_in.wait()
            else:
                third_is_in.set()

    async with asyncio.TaskGroup() as group:
        for _ in range(4):  # two of ada's turns, then two more of hers wait before bob comes
            group.create_task(ask("ada"))
        await wait_for_tickets(team, 4)
        group.create_task(ask("bob"))
        await wait_for_tickets(team, 5)
        first_ends.set()
    assert order[:3] == ["ada", "ada", "bob"]


async def test_waiting_ends_with_its_deadline_and_leaves_no_place(team: TeamStore) -> None:
    keeper = SharedTurns()
    async with keeper.take("m", 1, "ada"):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2), keeper.take("m", 1, "bob"):
                pytest.fail("there was one turn only")
        async with team.connect() as connection:
            cursor = await connection.execute("SELECT identity FROM quire.turns")
            assert await cursor.fetchall() == [("ada",)]


@pytest.mark.slow
async def test_three_workers_never_pass_the_limit(team: TeamStore, tmp_path: Path) -> None:
    (tmp_path / "worker.py").write_text(WORKER)
    running = [
        await asyncio.create_subprocess_exec(
            sys.executable, tmp_path / "worker.py", "40", "0.02", stdout=asyncio.subprocess.PIPE
        )
        for _ in range(3)
    ]
    told = [(await one.communicate())[0].decode() for one in running]
    events = sorted(
        (float(when), 1 if what == "in" else -1)
        for what, when in (line.split() for out in told for line in out.splitlines())
    )
    assert len(events) == 240
    held = 0
    for _, change in events:
        held += change
        assert held <= 3


@pytest.mark.slow
async def test_the_turns_of_a_killed_worker_are_free_when_their_lease_ends(
    team: TeamStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = WORKER.replace(
        "async def main():",
        "import team.turns\nteam.turns.LEASE_SECONDS = 1.5\n\nasync def main():",
    )
    (tmp_path / "worker.py").write_text(script)
    killed = await asyncio.create_subprocess_exec(
        sys.executable, tmp_path / "worker.py", "3", "60", stdout=asyncio.subprocess.PIPE
    )
    assert killed.stdout
    for _ in range(3):
        await killed.stdout.readline()
    killed.kill()
    await killed.wait()
    begun = time.monotonic()
    async with asyncio.timeout(20), SharedTurns().take("models", 3, "ada"):
        assert time.monotonic() > begun
