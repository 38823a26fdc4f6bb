"""Which event loop a client is made for: its connections belong to the loop that opened them."""

import asyncio


def find_running_loop() -> asyncio.AbstractEventLoop | None:
    """The running loop, or None outside of one."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
