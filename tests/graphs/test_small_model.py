"""Reports by a small model on a local server: it reads 8,192 tokens, cuts longer prompts, errs."""

from typing import Any

import pytest
from fakes.researcher import Researcher
from fakes.small_model import MODEL, Habits, SmallModel
from graph_runs import QUESTION, asked, check_report, get_sections

from graphs.report import graph
from schema.context import Context
from serving.doctor import check_installation

LARGE = {"section_tokens": 20_000, "top_k": 40}
"""More than the model's window holds."""


@pytest.fixture
def speaks_small(monkeypatch: pytest.MonkeyPatch) -> Any:
    def configure(api: SmallModel) -> None:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        monkeypatch.setenv("QUIRE_MODEL", f"openai:{MODEL}")

    return configure


async def report(space: str) -> tuple[dict[str, Any], list[Any]]:
    context = Context(space=space, research_mode="deep", check_links=False, **LARGE)  # type: ignore[arg-type]
    state = await graph.ainvoke(asked(QUESTION), context=context)
    return state["report"], state["calls"]


@pytest.mark.slow
async def test_a_window_that_is_known_is_never_exceeded(samples: str, speaks_small: Any) -> None:
    with SmallModel(Researcher(), Habits(tells="props", forms=frozenset())) as api:
        speaks_small(api)
        made, _ = await report(samples)
    assert api.cut == []
    assert max(api.reported) > 4_000  # and it is made use of
    assert len(get_sections(made)) == 3
    await check_report(made, samples)


@pytest.mark.slow
@pytest.mark.parametrize("keeps", ["end", "start", "half"])
async def test_every_cut_of_a_server_that_says_nothing_is_noticed(
    samples: str, speaks_small: Any, keeps: Any
) -> None:
    with SmallModel(Researcher(), Habits(keeps=keeps)) as api:
        speaks_small(api)
        made, calls = await report(samples)
    assert len(api.cut) == sum(bool(call.get("cut_at")) for call in calls) > 0
    assert len(get_sections(made)) == 3
    await check_report(made, samples)
    [said] = [one["detail"] for one in made["degraded"] if one["code"] == "prompt_shortened"]
    assert "num_ctx" in said


@pytest.mark.slow
async def test_a_model_that_errs_writes_a_whole_report(samples: str, speaks_small: Any) -> None:
    for seed in range(3):
        with SmallModel(Researcher(), Habits(tells="models", seed=seed)) as api:
            speaks_small(api)
            made, _ = await report(samples)
        assert len(get_sections(made)) == 3
        await check_report(made, samples)


async def test_the_doctor_says_how_much_the_model_reads(samples: str, speaks_small: Any) -> None:
    with SmallModel(Researcher(), Habits(tells="props")) as api:
        speaks_small(api)
        [writer] = [one for one in await check_installation(samples) if one.part == "chat model"]
    assert writer.detail == f"openai:{MODEL}; reads 8,192 tokens at once (/props of llama.cpp)"
    assert "llama.cpp: -c" in writer.cost
    assert api.requests == []
