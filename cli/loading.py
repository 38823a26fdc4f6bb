"""Loading modules with no garbage collection, which looks through them again and again.

Later it would hold up all that a process does for a tenth of a second, several times a report.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_collector() -> Iterator[None]:
    """Collect no garbage: it takes a sixth of the time in which modules are loaded.

    What is there by the end stays as long as the process, and is not looked through later either,
    when answers wait for it.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
