"""A model's window: where it is known from, how prompts are built to it, how cuts are noticed."""

from dataclasses import replace
from typing import Any
from unittest.mock import ANY

import pytest
from fakes.openai_api import FakeOpenAI
from fakes.openai_chat import ChatRequest
from fakes.small_model import MODEL, Habits, SmallModel, Tells
from odd_openai import NAME, Bare, one_sentence

from models.calls import Answer, Role, ask
from models.served import Served, Size, Window, get_served
from models.window import find_window
from nodes.common.windows import describe_small_windows
from prompts.template import GivesWay, Prompt, SourceText
from schema.errors import ModelUnavailableError

SMALL = f"openai:{MODEL}"


class Question(Prompt):
    """A prompt of which sources and notes may be left out, the notes first."""

    name = "bare"
    version = 1
    system = "Answer."
    user = "<question>{question}</question>\n{notes}\n{sources}"
    gives_way = (GivesWay("notes", newest=True), GivesWay("sources", least=1))

    question: str
    notes: list[str]
    sources: list[SourceText]


def passage(number: int, words: int = 300) -> str:
    return " ".join(f"Word {number} of number {n}." for n in range(words // 5))


def question(sources: int, notes: int = 0) -> Question:
    """A prompt with so many sources of three passages, about 1,000 tokens each."""
    made = [
        SourceText(n, f"Source {n}", tuple(passage(n) for _ in range(3)))
        for n in range(1, sources + 1)
    ]
    return Question(question="Why?", notes=[f"Note {n}." for n in range(notes)], sources=made)


@pytest.fixture
def speaks_small(monkeypatch: pytest.MonkeyPatch) -> Any:
    def configure(api: FakeOpenAI) -> Role:
        monkeypatch.setenv("OPENAI_BASE_URL", api.base_url)
        return Role("writer", SMALL)

    return configure


def server(tells: Tells = "nothing", **habits: Any) -> SmallModel:
    """A small model that says how many sources it sees."""
    return SmallModel(
        lambda asked: f"I see {asked.text.count('<source ')} sources.",
        Habits(tells=tells, **habits),
    )


async def asked(role: Role, prompt: Prompt) -> Answer:
    return await ask(role, prompt)


@pytest.mark.parametrize(
    ("tells", "source"),
    [
        ("props", "/props of llama.cpp"),
        ("models", "/models of the server"),
        ("ollama", "/api/ps of Ollama"),
        ("studio", "/api/v0/models of LM Studio"),
    ],
)
async def test_a_server_is_asked_for_the_window(
    speaks_small: Any, tells: Tells, source: str
) -> None:
    with server(tells) as api:
        role = speaks_small(api)
        api.loaded = True
        window = await find_window(role.model, role.chat)
        probes = len(api.probes)
        await find_window(role.model, role.chat)
    assert window is not None
    assert (window.tokens, window.origin, window.source) == (8_192, "server", source)
    assert len(api.probes) == probes  # once per process


@pytest.mark.parametrize("tells", ["ollama", "studio"])
async def test_before_the_model_is_loaded_the_least_is_taken_and_then_asked_again(
    speaks_small: Any, tells: Tells
) -> None:
    with server(tells) as api:
        role = speaks_small(api)
        before = await find_window(role.model, role.chat)
        await asked(role, question(1))
        after = await find_window(role.model, role.chat)
    assert (before and before.tokens, after and after.tokens) == (4_096, 8_192)


async def test_a_server_that_says_nothing_leaves_the_window_open(speaks_small: Any) -> None:
    with server() as api:
        role = speaks_small(api)
        assert await find_window(role.model, role.chat) is None


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "http://[", "no address"])
async def test_a_server_that_is_not_there_is_no_error(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    chat = Role("writer", SMALL).chat
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    assert await find_window(SMALL, chat) is None


async def test_a_name_that_is_known_has_a_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    window = await find_window(NAME, Role("writer", NAME).chat)
    assert window is not None
    assert (window.origin, window.tokens > 100_000) == ("profile", True)


async def test_what_is_told_counts_before_what_the_server_says(
    speaks_small: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_MODEL_WINDOW", "5000")
    with server("props") as api:
        role = speaks_small(api)
        window = await find_window(role.model, role.chat)
    assert window is not None
    assert (window.tokens, window.origin, api.probes) == (5_000, "told", [])


@pytest.mark.parametrize("tells", ["props", "models"])
async def test_a_prompt_is_built_to_a_window_that_is_known(speaks_small: Any, tells: Tells) -> None:
    """The notes give way first, then the last sources; no prompt is cut."""
    with server(tells) as api:
        answer = await asked(speaks_small(api), question(20, notes=500))
    assert api.cut == []
    [request] = api.requests
    assert "Note " not in request.text
    assert '<source n="1"' in request.text
    assert '<source n="20"' not in request.text
    assert 2 <= request.text.count("<source ") < 10
    [call] = answer.calls
    assert (call["window"], call["left_out"] > 500) == (8_192, True)
    [entry] = describe_small_windows(answer.calls)
    assert entry["code"] == "prompt_shortened"
    assert "8,192 tokens at once" in entry["detail"]


async def test_of_notes_in_order_of_time_the_newest_are_kept(speaks_small: Any) -> None:
    with server("props") as api:
        await asked(speaks_small(api), question(1, notes=3_000))
    [request] = api.requests
    assert "Note 2999." in request.text
    assert "Note 0." not in request.text
    assert '<source n="1"' in request.text


async def test_a_prompt_that_fits_is_sent_as_it_is(speaks_small: Any) -> None:
    with server("props") as api:
        answer = await asked(speaks_small(api), question(3, notes=5))
    assert api.requests[0].messages[1]["content"] == question(3, notes=5).render()[1].text
    assert "left_out" not in answer.calls[0]


async def test_a_prompt_that_fits_in_no_size_is_not_sent(
    speaks_small: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_MODEL_WINDOW", "1024")
    with server() as api:
        role = speaks_small(api)
        with pytest.raises(ModelUnavailableError, match="too few for the prompt “bare”") as caught:
            await asked(role, Bare(text="wind " * 2_000))
    assert api.requests == []
    assert one_sentence(str(caught.value).replace("llama.cpp", "llama"))


@pytest.mark.parametrize("keeps", ["end", "start", "half"])
async def test_a_cut_is_noticed_and_the_prompt_sent_again_smaller(
    speaks_small: Any, keeps: str
) -> None:
    with server(keeps=keeps) as api:
        role = speaks_small(api)
        answer = await asked(role, question(20))
        assert len(api.cut) == 1
        await asked(role, question(25))
    assert len(api.cut) == 1  # the window is known from then on
    cut, whole = answer.calls
    assert (cut["asked_again"], whole["cut_at"]) == (True, 0)
    assert cut["cut_at"] == (4_098 if keeps == "half" else 8_192)
    assert answer.text == f"I see {api.requests[1].text.count('<source ')} sources."


async def test_an_error_that_names_the_window_teaches_it(speaks_small: Any) -> None:
    with server("error") as api:
        role = speaks_small(api)
        answer = await asked(role, question(20))
        window = await find_window(role.model, role.chat)
    assert window is not None
    assert (window.tokens, window.origin) == (8_192, "learnt")
    assert len(api.requests) == 2
    assert len(answer.calls) == 1


@pytest.mark.parametrize(
    "text",
    [
        "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
        "{'type': 'exceed_context_size_error', 'n_prompt_tokens': 9000, 'n_ctx': 4096}",
        "the request exceeds the available context size (4096 tokens), try increasing it",
        "the model is loaded with context length of only 4096 tokens, which is not enough",
        "Requested tokens (9000) exceed context window of 4096",
        "prompt is too long: 9000 tokens > 4096 maximum",
        "The decoder prompt is longer than the maximum model length of 4096",
    ],
)
def test_servers_name_their_window_in_words_of_their_own(text: str) -> None:
    served = Served()
    assert served.learn_from_error(ValueError(text), Size(9_000, 36_000))
    assert served.known_window is not None
    assert served.known_window.tokens == 4_096


def test_other_errors_teach_nothing() -> None:
    served = Served()
    assert not served.learn_from_error(ValueError("Invalid value: 4096"), Size(9_000, 36_000))
    assert served.known_window is None


async def test_a_cut_prompt_that_cannot_be_shortened_is_named(speaks_small: Any) -> None:
    with server() as api:
        answer = await asked(speaks_small(api), Bare(text=passage(1, 20_000)))
    assert len(api.cut) == len(api.requests) == 1
    [entry] = describe_small_windows(answer.calls)
    assert entry["code"] == "prompt_cut"
    assert "cut 1 of its prompts at 8,192 tokens" in entry["detail"]
    assert "OLLAMA_CONTEXT_LENGTH" in entry["detail"]


@pytest.mark.parametrize("is_cut", [False, True])
async def test_a_count_as_large_as_a_usual_window_is_settled_by_the_next_prompt(
    speaks_small: Any, is_cut: bool
) -> None:
    """One prompt of some hundred has such a size by chance."""

    class Counting(SmallModel):
        def _reply(self, asked: ChatRequest) -> Any:
            tokens = 2_048 if is_cut or len(self.requests) == 1 else 3_100
            return super()._reply(replace(asked, prompt_tokens=tokens))

    with Counting(lambda _: "Hello!", Habits(window=100_000)) as api:
        role = speaks_small(api)
        for words in (2_200, 3_000):
            answer = await asked(role, Bare(text=passage(1, words)))
        window = await find_window(role.model, role.chat)
        assert len(answer.calls) == 1
        assert window == (Window(2_048, "learnt", ANY) if is_cut else None)
        if is_cut:
            with pytest.raises(ModelUnavailableError, match="reads 2,048 tokens at once"):
                await asked(role, Bare(text=passage(2, 3_000)))


async def test_a_server_that_counts_a_part_of_every_prompt_is_not_said_to_cut(
    speaks_small: Any,
) -> None:
    """Some count only what they did not have in their cache."""

    class Caching(SmallModel):
        def _reply(self, asked: ChatRequest) -> Any:
            return super()._reply(replace(asked, prompt_tokens=len(asked.text) // 12))

    with Caching(lambda _: "Hello!", Habits(window=100_000)) as api:
        role = speaks_small(api)
        answer = await asked(role, question(20))
        again = await asked(role, question(21))
        window = await find_window(role.model, role.chat)
    assert (len(answer.calls), len(again.calls), window) == (2, 1, None)


def test_a_count_that_is_low_for_every_prompt_is_no_cut() -> None:
    """A vocabulary may be large, or a text in a script of which the estimate is far too high."""
    served = Served()
    first, second = Size(20_000, 80_000), Size(2_000, 8_000)
    assert served.is_cut(first, 9_000)
    served.note_cut(first, 9_000)
    assert served.known_window
    served.review_cut((first, 9_000), (second, 910), None)
    assert served.known_window is None


@pytest.mark.parametrize(
    ("read", "sent", "is_cut"),
    [
        (5_919, 4_100, False),  # as large as a window of 4,096 by chance: more was read whole
        (3_015, 4_100, True),
        (5_919, 8_000, True),  # half of 8,192 is left of it
        (5_919, 4_700, False),  # fits into 8,192, of which nothing was cut then
    ],
)
def test_no_count_is_a_window_that_larger_prompts_went_through(
    read: int, sent: int, is_cut: bool
) -> None:
    served = Served()
    served.note_whole(Size(read, 4 * read), read)
    assert served.is_cut(Size(sent, 4 * sent), 4_097) is is_cut


@pytest.mark.parametrize("reported", [0, 40, 700])
def test_counts_that_no_server_cuts_at_are_passed_over(reported: int) -> None:
    assert not Served().is_cut(Size(20_000, 80_000), reported)


async def test_counts_of_a_provider_of_its_own_are_not_doubted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    await find_window(NAME, Role("writer", NAME).chat)
    assert not get_served(NAME).is_cut(Size(20_000, 80_000), 4_096)
