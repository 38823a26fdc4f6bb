"""A headless Chromium, driven through its DevTools protocol over two pipes: no port, no driver."""

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
_QUIET = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-quic", "--hide-scrollbars", "--remote-debugging-pipe"),
]
_DEADLINE = 60.0
_KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}


class Page:
    """One tab. `events` are all that it reported, as (method, parameters)."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._buffer = b""
        self._count = 0
        self._session = ""
        self.events: list[tuple[str, dict[str, Any]]] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self._count:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result

    def _message(self) -> dict[str, Any]:
        end = time.monotonic() + _DEADLINE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0, end - time.monotonic()))
            assert ready, "Chromium did not answer"
            read = os.read(self._read, 1 << 20)
            assert read, "Chromium ended"
            self._buffer += read
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append((message["method"], message["params"]))
        return message

    def open(
        self, path: Path | str, width: int = 1000, height: int = 800, *, dark: bool = False
    ) -> None:
        """Load a file, or the page of an address."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.send("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.events.clear()
        self.send("Page.navigate", url=path if isinstance(path, str) else path.as_uri())
        self.wait_for("Page.loadEventFired")

    def wait_for(self, method: str) -> None:
        while not self.reported(method):
            self._message()

    def reported(self, *methods: str) -> list[dict[str, Any]]:
        return [told for method, told in self.events if method in methods]

    def run(self, script: str) -> Any:
        how = {"returnByValue": True, "awaitPromise": True}
        done = self.send("Runtime.evaluate", expression=script, **how)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def press(self, key: str) -> None:
        told: dict[str, Any] = {"key": key, "code": "Space" if key == " " else key}
        told["windowsVirtualKeyCode"] = _KEYS[key]
        typed = {"Enter": "\r", " ": " "}.get(key, "")
        self.send("Input.dispatchKeyEvent", type="keyDown", text=typed, **told)
        self.send("Input.dispatchKeyEvent", type="keyUp", **told)

    def write(self, text: str) -> None:
        """Type into what has the focus."""
        self.send("Input.insertText", text=text)

    def move(self, x: float, y: float) -> None:
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x: float, y: float) -> None:
        self.move(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def shot(self, path: Path, *, whole: bool = True) -> None:
        made = self.send("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(made["data"]))

    def pdf(self) -> bytes:
        return base64.b64decode(self.send("Page.printToPDF")["data"])


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """Start Chromium with an empty profile, and end it."""
    assert CHROMIUM
    ours, theirs = os.pipe(), os.pipe()
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (ours[0], theirs[1])]
    process = os.posix_spawn(
        CHROMIUM,
        [CHROMIUM, *_QUIET, f"--user-data-dir={profile}"],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, high[0], 3),
            (os.POSIX_SPAWN_DUP2, high[1], 4),
        ],
    )
    for fd in (*high, ours[0], theirs[1]):
        os.close(fd)
    try:
        yield Page(ours[1], theirs[0])
    finally:
        os.kill(process, signal.SIGTERM)
        os.waitpid(process, 0)
        os.close(ours[1])
        os.close(theirs[0])
