"""What a report will take: as much as those like it took, and no more than its ceiling."""

import json
from pathlib import Path
from typing import Any

import pytest
from fakes.metered import Manner, MeteredModel
from fakes.researcher import Researcher
from graph_runs import CONCEPTS, QUESTION

import quire
from schema.context import Context
from serving.estimates import TOKENS_PER_WORD, describe_estimate, estimate_report
from serving.reports import create_report
from serving.runs import run_ingest


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Any:
    with MeteredModel(Researcher(), Manner(thoughts=200)) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-a-test")
        yield api


async def written(model: MeteredModel, context: Context) -> int:
    """A report by the model; returns the tokens on its bill."""
    model.billed.clear()
    await create_report(QUESTION, context, lambda _: None)
    return model.total


@pytest.mark.slow
async def test_it_rests_on_the_reports_of_the_same_model_and_mode(
    space: str, model: MeteredModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_MODEL", f"openai:model-of-{space}")
    context = Context(space=space, research_mode="deep", remember=False)
    unmeasured = await estimate_report(context)
    assert (unmeasured.runs, unmeasured.seconds) == (0, None)
    assert unmeasured.tokens.middle == TOKENS_PER_WORD * context.words_in_all
    await run_ingest([str(CONCEPTS)], context, lambda _: None)
    bill = await written(model, context)
    measured = await estimate_report(context)
    assert (measured.runs, measured.tokens.middle) == (1, bill)
    assert measured.tokens.low < bill < measured.tokens.high
    assert measured.seconds
    words = 2 * context.words_in_all
    longer = await estimate_report(context.model_copy(update={"words": words}))
    assert (longer.runs, longer.tokens.middle) == (1, pytest.approx(2 * bill))
    monkeypatch.setenv("QUIRE_MODEL", "openai:another")
    assert (await estimate_report(context)).runs == 0


async def test_it_is_no_more_than_the_ceiling_and_says_so_in_a_sentence(
    model: MeteredModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QUIRE_MODEL", "openai:priced")
    table = {"priced": {"input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}}
    (tmp_path / "prices.json").write_text(json.dumps(table))
    monkeypatch.setenv("QUIRE_PRICES", str(tmp_path / "prices.json"))
    context = Context(max_tokens=9_000)
    told = await quire.estimate(context)
    assert told.tokens.high == 9_000
    assert describe_estimate(told, context) == (
        "A general report: about 9,000 tokens (5,600 to 9,000), $0.0103 ($0.0065 to $0.0103), by "
        "its length alone: no report of this model was measured here yet."
    )
    assert model.billed == []


async def test_without_a_language_model_it_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUIRE_MODEL", "extractive")
    told = await estimate_report(Context())
    assert describe_estimate(told, Context()) == (
        "This report costs nothing: no language model is asked."
    )


async def test_a_model_that_cannot_be_used_has_no_estimate(
    model: MeteredModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_MODEL", "nobody:model")
    with pytest.raises(quire.QuireError, match="'nobody:model' cannot be used"):
        await estimate_report(Context())
    assert model.billed == []


async def test_a_price_that_is_not_known_is_said_to_be(
    model: MeteredModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_MODEL", "openai:unpriced")
    told = describe_estimate(await estimate_report(Context()), Context())
    assert "an unknown price (QUIRE_PRICES)" in told
    assert model.billed == []


@pytest.mark.parametrize("text", ["{", "[]", '{"priced": 3}', '{"priced": {"mode": "chat"}}'])
async def test_a_table_that_has_no_price_gives_none_or_one_sentence(
    text: str, model: MeteredModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("QUIRE_MODEL", "openai:priced")
    (tmp_path / "prices.json").write_text(text)
    monkeypatch.setenv("QUIRE_PRICES", str(tmp_path / "prices.json"))
    if "priced" in text:
        assert (await estimate_report(Context())).cost is None
    else:
        with pytest.raises(quire.QuireError, match="is no table of prices"):
            await estimate_report(Context())
    assert model.billed == []
