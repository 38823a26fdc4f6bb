"""OpenAI's own client, and the requests of a chat front end, against the real server."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import openai
import pytest
from fakes.writer import Writer, task_of
from graph_runs import CONCEPTS, QUESTION, speaking
from loopback import MEMBERS, build_team_app, served
from starlette.applications import Starlette

from schema.context import Context
from schema.errors import QuireError
from serving.live_runs import LiveRuns
from serving.runs import run_ingest
from serving.stored_reports import list_reports, load_finished_report, remove_report


@pytest.fixture
async def samples(space: str) -> str:
    """A space of the local user that holds the sample pages."""
    await run_ingest([str(CONCEPTS)], Context(space=space), lambda _: None)
    return space


@pytest.fixture
async def server() -> AsyncIterator[tuple[str, Starlette]]:
    async with served() as started:
        yield started


@pytest.fixture
async def client(server: tuple[str, Starlette]) -> AsyncIterator[openai.AsyncOpenAI]:
    url, _ = server
    async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="any", max_retries=0) as made:
        yield made


def asked(question: str = QUESTION, **extra: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": question}], **extra}


async def test_the_models_are_listed(client: openai.AsyncOpenAI) -> None:
    names = [model.id async for model in client.models.list()]
    assert names == ["quire-general", "quire-deep", "quire-deeper", "quire-ask"]
    assert (await client.models.retrieve("quire-deep@law/cases")).id == "quire-deep@law/cases"
    with pytest.raises(openai.NotFoundError, match="no model 'gpt-4'"):
        await client.models.retrieve("gpt-4")


@pytest.mark.slow
async def test_a_report_is_written_for_the_plain_client(
    server: tuple[str, Starlette], samples: str
) -> None:
    def ask_for_it() -> Any:
        with openai.OpenAI(base_url=f"{server[0]}/v1", api_key="any") as plain:
            return plain.chat.completions.create(model=f"quire-general/{samples}", **asked())

    answer = await asyncio.to_thread(ask_for_it)
    [choice] = answer.choices
    assert choice.finish_reason == "stop"
    assert "[1]" in choice.message.content
    assert "## References" in choice.message.content
    report = await load_finished_report(answer.quire["report"])
    assert report["title"] in choice.message.content
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens


@pytest.mark.slow
async def test_a_report_is_streamed_with_its_progress(
    client: openai.AsyncOpenAI, samples: str
) -> None:
    with speaking(Writer()):
        stream: Any = await client.chat.completions.create(
            model="quire-deep",
            stream=True,
            stream_options={"include_usage": True},
            extra_body={"quire": {"space": samples}},
            **asked(),
        )
        chunks = [chunk async for chunk in stream]
    first, *_, last, usage = chunks
    assert first.choices[0].delta.role == "assistant"
    assert last.choices[0].finish_reason == "stop"
    assert usage.choices == []
    assert usage.usage.prompt_tokens > 0
    deltas = [chunk.choices[0].delta for chunk in chunks[:-1]]
    thoughts = "".join(getattr(delta, "reasoning_content", "") or "" for delta in deltas)
    assert "Planned" in thoughts
    assert thoughts.count("Wrote") == 3
    text = "".join(delta.content or "" for delta in deltas)
    assert text.startswith("# ")
    assert "## References" in text
    assert len({chunk.id for chunk in chunks}) == 1


async def test_a_question_is_answered_by_searching(
    client: openai.AsyncOpenAI, samples: str
) -> None:
    answer = await client.chat.completions.create(
        model=f"quire-ask/{samples}", **asked("What is reciprocal rank fusion?")
    )
    text = answer.choices[0].message.content or ""
    assert "[1]" in text
    assert "rank-fusion" in text


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["general", "ask"])
async def test_a_follow_up_is_understood_in_its_conversation(
    client: openai.AsyncOpenAI, samples: str, kind: str
) -> None:
    answer: Any = await client.chat.completions.create(
        model=f"quire-{kind}/{samples}",
        messages=[
            {"role": "system", "content": "You are a pirate."},
            {"role": "user", "content": "What is BM25?"},
            {"role": "assistant", "content": "A ranking function."},
            {"role": "user", "content": [{"type": "text", "text": "What are its parameters?"}]},
        ],
    )
    assert "BM25" in answer.choices[0].message.content
    if kind == "general":
        report = await load_finished_report(answer.quire["report"])
        assert "BM25" in report["question"]


class Chat:
    """A client that keeps the conversation, as chat front ends do."""

    def __init__(self, client: openai.AsyncOpenAI, model: str) -> None:
        self.client, self.model, self.said = client, model, list[Any]()

    async def say(self, message: str) -> Any:
        self.said.append({"role": "user", "content": message})
        answer = await self.client.chat.completions.create(model=self.model, messages=self.said)
        # front ends send back what they were sent, but for the white space around it
        text = (answer.choices[0].message.content or "").strip()
        self.said.append({"role": "assistant", "content": text})
        return answer


@pytest.mark.slow
async def test_a_chat_goes_on_about_its_report(client: openai.AsyncOpenAI, samples: str) -> None:
    chat = Chat(client, f"quire-deep/{samples}")
    first = (await chat.say(QUESTION)).quire["report"]

    answered = await chat.say("Which constant does reciprocal rank fusion use?")
    assert "*Taken as a question to the report." in chat.said[-1]["content"]
    assert "rank fusion" in chat.said[-1]["content"]
    assert not hasattr(answered, "quire")

    edited = await chat.say("Make section 1 shorter.")
    assert chat.said[-1]["content"].startswith("*Taken as an edit of section 1.*")
    assert edited.quire["report"] == first
    assert (await load_finished_report(first))["version"] == 2

    other = await chat.say("Write a new report on BM25.")
    assert chat.said[-1]["content"].startswith("# ")
    assert other.quire["report"] != first


@pytest.mark.slow
@pytest.mark.parametrize("case", ["another space", "removed", "a webhook", "not the last line"])
async def test_a_chat_begins_a_report_where_it_cannot_go_on_with_one(
    client: openai.AsyncOpenAI, samples: str, case: str
) -> None:
    chat, extra = Chat(client, f"quire-general/{samples}"), {}
    first = (await chat.say(QUESTION)).quire["report"]
    if case == "another space":
        chat.model = "quire-general/elsewhere"
    elif case == "removed":
        await remove_report(first)
    elif case == "not the last line":
        chat.said[-1]["content"] += "\n\nAs said by a page."
    elif case == "a webhook":
        extra = {"quire": {"webhook": "https://hooks.example/a"}}
    messages = [*chat.said, {"role": "user", "content": "How does BM25 rank passages?"}]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIRE_WEBHOOK_HOSTS", "hooks.example")
        patch.setenv("QUIRE_WEBHOOK_SECRET", "a secret of the test")
        patch.setattr(LiveRuns, "start", _refuse)
        with pytest.raises(openai.APIStatusError, match="a report of its own"):
            await client.chat.completions.create(
                model=chat.model, messages=messages, extra_body=extra
            )


async def _refuse(*_: Any) -> str:
    raise QuireError("This is a report of its own.")


async def test_a_greeting_is_answered_without_a_report(
    client: openai.AsyncOpenAI, samples: str
) -> None:
    answer: Any = await client.chat.completions.create(
        model=f"quire-deep/{samples}", **asked("Hello!")
    )
    assert answer.choices[0].message.content
    assert not hasattr(answer, "quire")
    assert not [one for one in await list_reports() if one.space == samples]


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"model": "gpt-4", **asked()}, 404, "no model"),
        ({"model": "quire-deep", "messages": []}, 400, "messages"),
        ({"model": "quire-deep", **asked("  ")}, 400, "no question"),
        ({"model": "quire-deep", **asked("why " * 3000)}, 400, "characters"),
        ({"model": "quire-deep", **asked(quire={"wods": 3})}, 400, "wods does not exist"),
        ({"model": "quire-deep", **asked(quire={"approve_outline": True})}, 400, "on the page"),
        (
            {"model": "quire-deep", **asked(quire={"webhook": "http://x.test"})},
            400,
            "WEBHOOK_HOSTS",
        ),
        ({"model": "quire-deep", **asked(n=2)}, 400, "field n"),
        ({"model": "quire-deep@law/x", **asked()}, 403, "not in a group law"),
        ({"model": "quire-deep", **asked(quire={"paths": ["/etc"]})}, 503, "QUIRE_FILES_ROOTS"),
        ({"model": "quire-deep", "messages": [{"role": "assistant", "content": "x"}]}, 400, "last"),
        (
            {
                "model": "quire-deep",
                "messages": [{"role": "user", "content": [{"type": "image_url"}]}],
            },
            400,
            "image_url",
        ),
    ],
)
async def test_what_cannot_be_done_is_an_error_of_openai_s_form(
    server: tuple[str, Starlette], body: dict[str, Any], status: int, told: str
) -> None:
    async with httpx.AsyncClient(base_url=server[0], timeout=30) as http:
        answer = await http.post("/v1/chat/completions", json=body)
    error = answer.json()["error"]
    assert (answer.status_code, set(error)) == (status, {"message", "type", "param", "code"})
    assert told in error["message"]
    assert "\n" not in error["message"]


async def test_a_body_that_is_no_json_or_too_long_is_refused(
    server: tuple[str, Starlette],
) -> None:
    async with httpx.AsyncClient(base_url=server[0], timeout=30) as http:
        for body, status in ((b"{", 400), (b"[]", 400), (b" " * 5_000_000, 413)):
            answer = await http.post(
                "/v1/chat/completions",
                content=body,
                headers={"content-type": "application/json"},
            )
            assert answer.status_code == status
            assert answer.json()["error"]["message"].endswith(".")
        assert (await http.get("/v1/embeddings")).json()["error"]["code"] == "not_found"


async def test_a_failure_in_a_stream_is_an_error_of_the_client(
    client: openai.AsyncOpenAI, samples: str
) -> None:
    stream: Any = await client.chat.completions.create(
        model=f"quire-deep/{samples}",
        stream=True,
        extra_body={"quire": {"connectors": ["fax"]}},
        **asked(),
    )
    with pytest.raises(openai.APIError, match="no connector 'fax'"):
        [chunk async for chunk in stream]


async def _wait_for(server: tuple[str, Starlette], api: Any) -> tuple[LiveRuns, str]:
    """The run that is being written, once its writer is asked."""
    runs: LiveRuns = server[1].state.runs
    async with asyncio.timeout(60):
        while "write_section" not in map(task_of, api.requests):
            await asyncio.sleep(0.01)
    [identity] = runs._tasks
    return runs, identity


@pytest.mark.parametrize("stream", [True, False])
async def test_who_hangs_up_stops_the_run(
    server: tuple[str, Starlette], samples: str, stream: bool
) -> None:
    body = {"model": f"quire-deep/{samples}", "stream": stream, **asked()}
    with speaking(Writer()) as api:
        api.hang = lambda request: 60 if task_of(request) == "write_section" else 0
        async with httpx.AsyncClient(base_url=server[0]) as http:
            asking = asyncio.create_task(http.post("/v1/chat/completions", json=body))
            runs, identity = await _wait_for(server, api)
            run = runs.find(identity)
            assert run
            asking.cancel()
            async with asyncio.timeout(30):
                while not run.ended:
                    await asyncio.sleep(0.01)
    assert run.state == "stopped"


@pytest.mark.slow
async def test_a_run_that_somebody_follows_goes_on_without_its_client(
    server: tuple[str, Starlette], samples: str
) -> None:
    body = {"model": f"quire-general/{samples}", "stream": True, **asked()}
    with speaking(Writer()) as api:
        api.hang = lambda request: 2 if task_of(request) == "write_section" else 0
        async with httpx.AsyncClient(base_url=server[0]) as http:
            asking = asyncio.create_task(http.post("/v1/chat/completions", json=body))
            runs, identity = await _wait_for(server, api)
            follower = runs.follow(identity)
            await anext(follower)
            asking.cancel()
            async with asyncio.timeout(30):
                states = [run.state async for _, run in follower]
    assert states[-1] == "finished"


FRONT_END = (
    '### Task:\nWhat the chat is about, please.\n### Output:\nJSON format: { "%s": "..." }\n'
    "### Chat History:\n<chat_history>\nUSER: What is BM25?\nASSISTANT: # BM25\n\nText.\n\n"
    "## Questions to ask next\n\n- What is k1?\n- What is b?\n\n"
    "## About\n\n- `x`: no.\n"
    "</chat_history>"
)


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("title", "What is BM25?"),
        ("tags", ["General"]),
        ("follow_ups", ["What is k1?", "What is b?"]),
        ("queries", ["What is BM25?"]),
        ("text", ""),
    ],
)
async def test_errands_of_a_front_end_are_no_reports(
    server: tuple[str, Starlette], wanted: str, given: Any
) -> None:
    """As Open WebUI sends them: a template, the whole body, unknown fields."""
    body = {
        "stream": False,
        "model": "quire-deeper",
        **asked(FRONT_END % wanted),
        "max_completion_tokens": 1000,
        "metadata": {"task": "title_generation", "chat_id": "1"},
    }
    async with httpx.AsyncClient(base_url=server[0]) as http:
        answer = (await http.post("/v1/chat/completions", json=body)).json()
    assert json.loads(answer["choices"][0]["message"]["content"]) == {wanted: given}
    assert not server[1].state.runs._runs


@pytest.mark.slow
async def test_members_see_their_own_spaces_only(
    space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUIRE_FILES_ROOTS", str(CONCEPTS))
    shared = f"@law/{space}"
    await run_ingest([str(CONCEPTS)], Context(space=shared), lambda _: None, member=_curator())
    async with served(build_team_app()) as (url, _):
        clients = {
            name: openai.AsyncOpenAI(base_url=f"{url}/v1", api_key=name, max_retries=0)
            for name in ("ada", "eve", "rob", "nobody")
        }
        model = f"quire-general{shared}"
        answer: Any = await clients["ada"].chat.completions.create(model=model, **asked())
        assert "[1]" in answer.choices[0].message.content
        with pytest.raises(openai.PermissionDeniedError, match="not in a group law"):
            await clients["eve"].chat.completions.create(model=model, **asked())
        with pytest.raises(openai.PermissionDeniedError, match="needs a writer"):
            await clients["rob"].chat.completions.create(model=model, **asked())
        with pytest.raises(openai.AuthenticationError):
            await clients["nobody"].chat.completions.create(model=model, **asked())
        with pytest.raises(openai.AuthenticationError):
            await clients["nobody"].models.list()
        found = await clients["eve"].chat.completions.create(
            model=f"quire-general/{space}", **asked()
        )
        assert "[1]" not in (found.choices[0].message.content or "")
        for one in clients.values():
            await one.close()
    assert [one.space for one in await list_reports(MEMBERS["eve"])] == []


def _curator() -> Any:
    from schema.access import Member

    return Member(identity="kim", groups={"law": "curator"})
