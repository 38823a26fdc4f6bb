"""A run's ceiling in tokens and in money: never passed, and a finished report at it."""

import json
from pathlib import Path
from typing import Any

import pytest
from fakes.metered import Manner, MeteredModel
from fakes.researcher import Researcher
from graph_runs import QUESTION, asked, codes, run_report

from graphs.report import graph
from schema.context import Context
from schema.errors import InputError

MODEL = "gpt-4.1-mini"

MANNERS = {
    "plain": Manner(),
    "counts more": Manner(counting=1.6),
    "writes on": Manner(obeys=False, thoughts=1_500),
    "thinks": Manner(thoughts=900),
    "errs": Manner(errors=0.3, seed=3),
}

READ, WRITTEN = 0.4e-6, 1.6e-6
"""US dollars of a token, in the table of prices of these tests."""


@pytest.fixture(params=MANNERS)
def metered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The configured provider, in each manner."""
    with MeteredModel(Researcher(), MANNERS[request.param]) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-a-test")
        monkeypatch.setenv("QUIRE_MODEL", f"openai:{MODEL}")
        yield api


@pytest.fixture
def prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with the price of the model."""
    table = {MODEL: {"input_cost_per_token": READ, "output_cost_per_token": WRITTEN}}
    (tmp_path / "prices.json").write_text(json.dumps(table))
    monkeypatch.setenv("QUIRE_PRICES", str(tmp_path / "prices.json"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "ceiling"),
    [
        ("general", 8_000),
        ("deep", 25_000),
        pytest.param("general", 14_000, marks=pytest.mark.weekly),
        pytest.param("general", 25_000, marks=pytest.mark.weekly),
        pytest.param("deep", 8_000, marks=pytest.mark.weekly),
        pytest.param("deep", 14_000, marks=pytest.mark.weekly),
    ],
)
async def test_it_is_not_passed_and_a_report_stands(
    samples: str, metered: MeteredModel, mode: str, ceiling: int
) -> None:
    state = await run_report(samples, research_mode=mode, max_tokens=ceiling)
    assert metered.total <= ceiling
    report = state["report"]
    assert report["citations"]
    assert all(section["text"] for section in report["sections"])
    asked_less = {"outline_without_model", "outline_not_revised", "section_extracted"}
    if codes(state) & asked_less:
        [told] = [one for one in report["degraded"] if one["code"] == "ceiling_reached"]
        assert f"ceiling of {ceiling:,} tokens" in told["detail"]
        assert "more would pay for that" in told["detail"]


@pytest.mark.slow
@pytest.mark.usefixtures("prices")
async def test_money_is_kept_as_well(samples: str, metered: MeteredModel) -> None:
    ceiling = 0.008
    state = await run_report(samples, research_mode="deep", max_cost=ceiling)
    assert sum(READ * read + WRITTEN * written for read, written in metered.billed) <= ceiling
    assert state["report"]["citations"]


async def test_money_without_a_price_is_refused_before_a_model_is_asked(
    samples: str, metered: MeteredModel
) -> None:
    with pytest.raises(InputError, match=r"No price of openai:gpt-4\.1-mini is known"):
        await graph.ainvoke(asked(QUESTION), context=Context(space=samples, max_cost=1.0))
    assert metered.billed == []


@pytest.mark.usefixtures("prices")
async def test_money_that_buys_no_report_is_refused(samples: str, metered: MeteredModel) -> None:
    with pytest.raises(InputError, match=r"raise max_cost to \$0\.00"):
        await graph.ainvoke(asked(QUESTION), context=Context(space=samples, max_cost=0.001))
    assert metered.billed == []


@pytest.mark.slow
async def test_an_ample_ceiling_leaves_nothing_out(samples: str, metered: MeteredModel) -> None:
    state = await run_report(samples, research_mode="deep", max_tokens=400_000)
    assert "ceiling_reached" not in {one["code"] for one in state["report"]["degraded"]}
    assert state["report"]["audit"]["sections"] == 3
