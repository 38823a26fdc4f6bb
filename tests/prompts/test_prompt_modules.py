"""Every prompt of the package: it has a name and a version, renders, and keeps to our tags."""

import dataclasses
import importlib
import pkgutil
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import prompts
from prompts.answer_question import MODES
from prompts.choose_action import ACTIONS
from prompts.fragments import DATA_RULE
from prompts.judge_answer import CRITERIA
from prompts.template import TAGS, Prompt
from prompts.write_section import FORMS, SHAPES, STYLES
from schema.context import ReportStyle
from schema.deep_search import Action, Criterion
from schema.plan import Form, Shape


def found() -> Iterator[tuple[str, type[Prompt]]]:
    """(module, prompt) of every prompt in the package."""
    for module in pkgutil.iter_modules(prompts.__path__):
        loaded = importlib.import_module(f"prompts.{module.name}")
        for value in vars(loaded).values():
            if isinstance(value, type) and issubclass(value, Prompt) and value is not Prompt:
                yield module.name, value


ALL = list(found())
EACH = pytest.mark.parametrize("prompt", [p for _, p in ALL], ids=[name for name, _ in ALL])


def named(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_every_module_holds_one_prompt_that_is_named_after_it() -> None:
    modules = {module.name for module in pkgutil.iter_modules(prompts.__path__)} - {
        "template",
        "fragments",
    }
    assert len(modules) >= 10
    assert sorted(module for module, _ in ALL) == sorted(modules)
    assert all(prompt.name == module for module, prompt in ALL)


@EACH
def test_a_prompt_has_a_version(prompt: type[Prompt]) -> None:
    assert prompt.version >= 1


@EACH
def test_every_field_of_a_prompt_is_written_and_every_one_it_writes_is_there(
    prompt: type[Prompt],
) -> None:
    written = named(prompt.system + prompt.user)
    own = {field.name for field in dataclasses.fields(prompt)}  # type: ignore[arg-type]
    explained = {name for name, value in vars(prompt).items() if isinstance(value, property)}
    if "language_name" in written:
        own = own - {"language"} | {"language_name"}
    assert own <= written == own | explained


@EACH
def test_foreign_text_is_called_data(prompt: type[Prompt]) -> None:
    assert DATA_RULE.strip() in prompt.system
    assert "<data>" in prompt.user


@EACH
def test_what_gives_way_is_a_list_that_the_user_s_message_shows(prompt: type[Prompt]) -> None:
    hints = get_type_hints(prompt)
    for way in prompt.gives_way:
        assert way.field in named(prompt.user)
        assert str(hints[way.field]).startswith("collections.abc.Sequence")


@EACH
def test_every_tag_of_a_prompt_is_fenced_in_foreign_text(prompt: type[Prompt]) -> None:
    used = re.findall(r"</?(\w+)>", prompt.system + prompt.user)
    assert set(used) <= set(TAGS)


def test_every_tag_that_is_fenced_is_one_of_a_prompt() -> None:
    texts = "".join(path.read_text() for path in Path(prompts.__path__[0]).glob("*.py"))
    assert set(TAGS) <= set(re.findall(r"<(\w+)[ >]", texts))


@EACH
def test_foreign_text_stands_in_the_user_s_message_only(prompt: type[Prompt]) -> None:
    """The system message takes what Quire chose itself: a language, a length, one of its texts."""
    chosen = {"language", "date", "words", "position", "actions", "mode", "explanation"}
    chosen |= {"points_rule", "shapes"}
    assert named(prompt.system) <= chosen


def test_each_action_and_each_criterion_that_a_model_judges_is_explained() -> None:
    assert set(ACTIONS) == set(get_args(Action))
    assert all(text.startswith(f"{action}: ") for action, text in ACTIONS.items())
    counted = {"attribution", "freshness"}
    assert set(CRITERIA) == set(get_args(Criterion)) - counted


def test_each_form_and_each_style_of_a_section_is_explained() -> None:
    assert set(FORMS) == set(get_args(Form))
    assert set(SHAPES) == set(get_args(Shape))
    assert set(STYLES) == set(get_args(ReportStyle))


@pytest.mark.parametrize("text", [*ACTIONS.values(), *CRITERIA.values(), *MODES.values()])
def test_what_a_system_message_is_completed_with_names_tags_of_ours_only(text: str) -> None:
    assert set(re.findall(r"<(\w+)>", text)) <= set(TAGS)
    assert "{" not in text
