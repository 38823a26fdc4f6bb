"""What users may use: money by the table of prices, and no run whose price nobody knows."""

import json
from pathlib import Path

import pytest
from fakes.writer import Writer
from graph_runs import CONCEPTS, QUESTION, asked, speaking

from graphs.report import graph as report_graph
from schema.access import Member
from schema.context import Context
from schema.errors import InputError
from schema.turns import share_turns, take_turn
from serving.live_runs import LiveRuns
from serving.runs import name_member, run_graph, run_ingest
from team.limits import LimitError, check_limits, set_limit
from team.store import open_team
from team.turns import SharedTurns
from team.usage import list_usage, load_usage


@pytest.fixture
def prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with one price: a dollar for a thousand tokens read, two for as many written."""
    price = {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}
    table = tmp_path / "prices.json"
    table.write_text(json.dumps({"openai:priced": price}))
    monkeypatch.setenv("QUIRE_PRICES", str(table))


@pytest.mark.usefixtures("own_database")
async def test_money_is_counted_and_limited_by_the_day(space: str) -> None:
    share_turns(SharedTurns())
    try:
        async with take_turn("models", 1, space) as turn:
            turn.input_tokens, turn.output_tokens, turn.dollars = 70, 30, 0.13
        async with take_turn("models", 1, space) as turn:
            turn.input_tokens, turn.dollars = 5, 0.005
    finally:
        share_turns(None)
    team, ada = await open_team(), Member(identity=space)
    assert (await load_usage(team, space)).dollars == pytest.approx(0.135)
    [day] = [one for one in await list_usage(team, 1) if one.identity == space]
    assert day.dollars == pytest.approx(0.135)
    await set_limit(team, space, "cents_a_day", 14)
    await check_limits(team, ada, 0)
    await set_limit(team, space, "cents_a_day", 13)
    with pytest.raises(LimitError, match="You have used 13 of 13 US cents of today"):
        await check_limits(team, ada, 0)


@pytest.mark.slow
@pytest.mark.usefixtures("prices", "own_database")
async def test_a_call_of_a_model_is_paid_for(space: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
    ada = Member(identity=space)
    await run_ingest([str(CONCEPTS)], Context(), lambda _: None, member=ada)
    share_turns(SharedTurns())
    try:
        with speaking(Writer()):
            context = Context(planner_model="openai:priced", writer_model="openai:priced")
            await run_graph(report_graph, asked(QUESTION), lambda _: None, context=context,
                            config={"configurable": name_member(ada)})  # fmt: skip
    finally:
        share_turns(None)
    used = await load_usage(await open_team(), ada.identity)
    assert used.dollars == pytest.approx(0.001 * used.input_tokens + 0.002 * used.output_tokens)
    assert used.dollars > 0


@pytest.mark.usefixtures("prices", "own_database")
async def test_a_model_without_a_price_is_refused_where_money_is_limited(
    space: str,
) -> None:
    team, ada, runs = await open_team(), Member(identity=space), LiveRuns()
    await set_limit(team, space, "cents_a_day", 500)
    context = Context(planner_model="openai:priced", writer_model="openai:unknown")
    with pytest.raises(InputError, match="No price of openai:unknown is known"):
        await runs.start(QUESTION, context, ada)
