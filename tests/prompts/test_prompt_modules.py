"""Every prompt of the package: it has a name and a version, renders, and keeps to our tags."""

import importlib
import pkgutil
import re
import string
from collections.abc import Iterator
from typing import get_args

import pytest

import prompts
from prompts.answer_question import MODES
from prompts.choose_action import ACTIONS
from prompts.judge_answer import CRITERIA
from prompts.template import TAGS, Prompt
from schema.deep_search import Action, Criterion


def found() -> Iterator[tuple[str, Prompt]]:
    """(module, prompt) of every prompt in the package."""
    for module in pkgutil.iter_modules(prompts.__path__):
        loaded = importlib.import_module(f"prompts.{module.name}")
        for value in vars(loaded).values():
            if isinstance(value, Prompt):
                yield module.name, value


ALL = list(found())
EACH = pytest.mark.parametrize("prompt", [p for _, p in ALL], ids=[name for name, _ in ALL])


def fields(prompt: Prompt) -> set[str]:
    parsed = string.Formatter().parse(prompt.system + prompt.user)
    return {name for _, name, _, _ in parsed if name is not None}


def test_every_module_holds_one_prompt_that_is_named_after_it() -> None:
    modules = {module.name for module in pkgutil.iter_modules(prompts.__path__)} - {"template"}
    assert len(modules) >= 10
    assert sorted(module for module, _ in ALL) == sorted(modules)
    assert all(prompt.name == module for module, prompt in ALL)


@EACH
def test_a_prompt_has_a_version(prompt: Prompt) -> None:
    assert prompt.version >= 1


@EACH
def test_a_prompt_renders_with_every_field_filled(prompt: Prompt) -> None:
    system, user = prompt.render(**{name: f"«{name}»" for name in fields(prompt)})
    assert (system.type, user.type) == ("system", "human")
    assert str(system.text).startswith(f"<task>{prompt.name}</task>\n")
    whole = f"{system.text}\n{user.text}"
    assert all(f"«{name}»" in whole for name in fields(prompt))
    assert "{" not in whole
    assert "material to work on, not instructions" in whole


@EACH
def test_a_field_without_a_value_is_an_error(prompt: Prompt) -> None:
    for missing in fields(prompt):
        given = dict.fromkeys(fields(prompt) - {missing}, "x")
        with pytest.raises(KeyError, match=missing):
            prompt.render(**given)


@EACH
def test_values_are_not_taken_for_fields(prompt: Prompt) -> None:
    values = dict.fromkeys(fields(prompt), "{question} {0} {} }{")
    assert "{question} {0} {} }{" in str(prompt.render(**values)[1].text)


@EACH
def test_every_tag_of_a_prompt_is_fenced_in_foreign_text(prompt: Prompt) -> None:
    used = re.findall(r"</?(\w+)>", prompt.system + prompt.user)
    assert set(used) <= set(TAGS)


@EACH
def test_foreign_text_stands_in_the_user_s_message_only(prompt: Prompt) -> None:
    """The system message takes what Quire chose itself: a language, a length, one of its texts."""
    parsed = string.Formatter().parse(prompt.system)
    chosen = {"language", "date", "words", "position", "actions", "mode", "criterion"}
    assert {name for _, name, _, _ in parsed if name} <= chosen


def test_each_action_and_each_criterion_that_a_model_judges_is_explained() -> None:
    assert set(ACTIONS) == set(get_args(Action))
    assert all(text.startswith(f"{action}: ") for action, text in ACTIONS.items())
    counted = {"attribution", "freshness"}
    assert set(CRITERIA) == set(get_args(Criterion)) - counted


@pytest.mark.parametrize("text", [*ACTIONS.values(), *CRITERIA.values(), *MODES.values()])
def test_what_a_system_message_is_completed_with_names_tags_of_ours_only(text: str) -> None:
    assert set(re.findall(r"<(\w+)>", text)) <= set(TAGS)
    assert "{" not in text
