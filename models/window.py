"""How many tokens a model reads at once: told, asked of its server, looked up, or learnt."""

from langchain_core.language_models import BaseChatModel

from models.served import Served, Window, get_address, get_served
from models.window_routes import ask_server
from schema.concurrency import get_semaphore
from schema.settings import get_settings

TIMES_ASKED = 3
"""Of a server that has not loaded the model yet; others are asked once per process."""


async def find_window(model: str, chat: BaseChatModel) -> Window | None:
    """The window of a model; None where nobody knows it.

    What QUIRE_MODEL_WINDOW says counts first; then what the server at OPENAI_BASE_URL answers,
    which may serve another model under a name that is known; then the model's profile. A cut or
    an error that shows a smaller one overrules them all.

    Args:
        model: `provider:model`.
        chat: its client.
    """
    served = get_served(model)
    told = get_settings().model_window
    if told:
        served.window = Window(told, "told", "QUIRE_MODEL_WINDOW")
    elif served.asked == 0:
        async with get_semaphore(f"window of {model}", 1):
            if served.asked == 0:
                await _look_up(served, model, chat)
    return served.known_window


async def ask_again_when_loaded(model: str, chat: BaseChatModel) -> None:
    """Ask a server for the window once more, which was a guess before the model's first answer."""
    served = get_served(model)
    if served.window and served.window.passing and served.asked < TIMES_ASKED:
        await _look_up(served, model, chat)


async def _look_up(served: Served, model: str, chat: BaseChatModel) -> None:
    found: Window | None = None
    address = get_address(model)
    if address:
        key = get_settings().openai_api_key
        secret = key.get_secret_value() if key else None
        found = await ask_server(address, secret, model.partition(":")[2])
    if found is None and (size := (chat.profile or {}).get("max_input_tokens")):
        found = Window(size, "profile", "the model's profile")
    served.window = found
    served.asked += 1


def describe_remedy(model: str) -> str:
    """What raises the window of a model, as the end of a sentence."""
    if get_address(model):
        return (
            "raise it at the server (Ollama: OLLAMA_CONTEXT_LENGTH, or an alias of the model whose "
            "Modelfile sets num_ctx; llama.cpp: -c; vLLM: --max-model-len; LM Studio: the context "
            "length that the model is loaded with)"
        )
    return "choose a model that reads more, or set QUIRE_MODEL_WINDOW if it does"
