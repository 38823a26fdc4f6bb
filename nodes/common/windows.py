"""What a report lacks because its models read less at once than was to be read."""

from collections.abc import Iterable

from models.window import describe_remedy
from nodes.common.run import make_degradation
from schema.report import Degradation, ModelCall


def describe_small_windows(calls: Iterable[ModelCall]) -> list[Degradation]:
    """An entry for each model whose prompts were shortened, and for each that read cut ones."""
    shortened: dict[str, list[int]] = {}
    cut: dict[str, list[int]] = {}
    for call in calls:
        if call.get("left_out"):
            shortened.setdefault(call["model"], []).append(call.get("window", 0))
        if call.get("cut_at") and not call.get("asked_again"):
            cut.setdefault(call["model"], []).append(call.get("cut_at", 0))
    return [
        *(
            make_degradation(
                "prompt_shortened",
                f"The model {model} reads {min(windows):,} tokens at once: {len(windows)} of its "
                f"prompts were shortened, the worst sources first; {describe_remedy(model)}",
            )
            for model, windows in shortened.items()
        ),
        *(
            make_degradation(
                "prompt_cut",
                f"The server of the model {model} cut {len(sizes)} of its prompts at "
                f"{min(sizes):,} tokens, also in the smallest size; {describe_remedy(model)}",
            )
            for model, sizes in cut.items()
        ),
    ]
