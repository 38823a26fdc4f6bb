"""Checkers of citations on this machine, on graphs whose verdicts are known."""

from pathlib import Path
from typing import Any

import pytest
from fakes.tiny_models import embedder_graph, head_graph, lay_out

from citations import bands
from citations.bands import Band
from models.calls import Role
from models.citation_judge import judge_citations
from schema.errors import ModelUnavailableError

PAIRS = [
    ("wind turns blades", "It is said that wind turns blades."),
    ("bread needs flour", "It says that bread needs wind."),
    ("not", "Nothing."),
]
"""Sentences with their passages; the tiny graphs weigh the words of the sentences."""

NLI = {"0": "contradiction", "1": "entailment", "2": "neutral"}
LIKELY = {"wind": [0.0, 5.0, 0.0], "bread": [5.0, 0.0, 0.0], "not": [0.0, 0.0, 5.0]}
SURE = 0.9867
"""The softmax of 5 among two zeros."""


async def judged(folder: Path, pairs: list[tuple[str, str]] = PAIRS) -> list[tuple[str, float]]:
    found, calls = await judge_citations(Role("judge", f"onnx:{folder}"), pairs)
    [call] = calls
    assert (call["role"], call["model"], call["output_tokens"]) == ("judge", f"onnx:{folder}", 0)
    assert call["input_tokens"] >= sum(len(one.split()) for pair in pairs for one in pair)
    assert len([one for one in found if one]) == len(pairs)
    decisions = [one.decision for one in found if one]
    return [(one.kind, pytest.approx(one.confidence, abs=1e-3)) for one in decisions]


async def test_three_labels_mean_what_the_config_calls_them(tmp_path: Path) -> None:
    expected = [("supported", SURE), ("absent", 1 - 0.0067), ("absent", 1 - 0.0067)]
    lay_out(tmp_path / "a", head_graph(LIKELY), {"config.json": {"id2label": NLI}})
    assert await judged(tmp_path / "a") == expected
    turned = {"0": "NEUTRAL", "1": "CONTRADICTION", "2": "ENTAILMENT"}
    worth = {word: [absent, no, yes] for word, [no, yes, absent] in LIKELY.items()}
    lay_out(tmp_path / "b", head_graph(worth), {"config.json": {"id2label": turned}})
    assert await judged(tmp_path / "b") == expected


async def test_only_what_was_measured_says_contradicted_and_only_from_its_bar_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = lay_out(tmp_path / "a", head_graph(LIKELY), {"config.json": {"id2label": NLI}})
    assert (await judged(folder))[1] == ("absent", 1 - 0.0067)
    for bar, kind in ((0.98, "contradicted"), (0.99, "absent")):
        row = Band(supported=0.9, unsupported=0.1, contradicted=bar, source="this test")
        monkeypatch.setattr(bands, "MEASURED", {f"onnx:{folder}": row})
        assert [told for told, _ in await judged(folder)] == ["supported", kind, "absent"]


async def test_a_folder_called_like_a_model_of_the_table_has_no_band_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Band(supported=0.9, unsupported=0.1, contradicted=0.5, source="this test")
    monkeypatch.setattr(bands, "MEASURED", {"onnx:nli-deberta-v3-small": row})
    config = {"config.json": {"id2label": NLI}}
    folder = lay_out(tmp_path / "nli-deberta-v3-small", head_graph(LIKELY), config)
    assert (await judged(folder))[1][0] == "absent"


TWO = {
    "numbers": {"0": "LABEL_0", "1": "LABEL_1"},
    "names": {"0": "not_entailment", "1": "entailment"},
    "turned": {"0": "consistent", "1": "hallucinated"},
    "none": None,
}


@pytest.mark.parametrize("labels", TWO)
async def test_two_labels_are_no_and_yes_unless_they_say_otherwise(
    tmp_path: Path, labels: str
) -> None:
    yes = [4.0, 0.0] if labels == "turned" else [0.0, 4.0]
    lay_out(
        tmp_path / "a",
        head_graph({"wind": yes, "bread": yes[::-1]}),
        {"config.json": {"id2label": TWO[labels]}},
    )
    expected = [("supported", 0.982), ("absent", 0.982)]
    assert await judged(tmp_path / "a", PAIRS[:2]) == expected


async def test_a_single_logit_is_the_chance_of_support(tmp_path: Path) -> None:
    lay_out(tmp_path / "a", head_graph({"wind": [3.0], "bread": [-3.0]}))
    assert await judged(tmp_path / "a", PAIRS[:2]) == [("supported", 0.953), ("absent", 0.953)]


async def test_a_model_that_reads_one_text_is_given_its_template(tmp_path: Path) -> None:
    worth = {"wind": [0.0, 9.0], "flour": [9.0, 0.0]}
    folder = tmp_path / "factcg-deberta-v3-large"
    lay_out(folder, head_graph(worth, ("input_ids", "attention_mask")))
    long = "bread " * 3000  # the passage gives way, not the sentence behind it
    pairs = [("wind turns", "{blades}"), ("wind turns", long), ("flour", long)]
    found, _ = await judge_citations(Role("judge", f"onnx:{folder}"), pairs)
    kinds = [one.decision.kind for one in found if one]
    assert kinds == ["supported", "supported", "absent"]


async def refusal(folder: Path, pairs: Any = None) -> str:
    with pytest.raises(ModelUnavailableError) as caught:
        await judge_citations(Role("judge", f"onnx:{folder}"), pairs or PAIRS)
    assert "\n" not in str(caught.value)
    return str(caught.value)


async def test_labels_that_say_nothing_are_refused(tmp_path: Path) -> None:
    names = {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}
    lay_out(tmp_path / "a", head_graph(LIKELY), {"config.json": {"id2label": names}})
    assert "Name them in id2label" in await refusal(tmp_path / "a")


async def test_a_graph_without_a_head_is_refused(tmp_path: Path) -> None:
    lay_out(tmp_path / "a", embedder_graph())
    assert "has no head" in await refusal(tmp_path / "a")


async def test_sentences_in_a_language_that_it_does_not_know_are_left_to_the_words(
    tmp_path: Path,
) -> None:
    folder = lay_out(tmp_path / "nli-deberta-v3-small", head_graph(LIKELY))
    pairs = [("Der Wind dreht die Flügel der Mühle, wenn er weht.", "Der Wind dreht sie.")]
    assert "does not know the language of the sentences (de)" in await refusal(folder, pairs)
