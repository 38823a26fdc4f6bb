"""One report that is being written, as those see it who look on."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Literal

from library.saved_reports import SavedReport
from schema.access import Member
from schema.events import Event

RunState = Literal["waiting", "running", "asking", "finished", "failed", "stopped"]
"""`waiting`: for its turn; `asking`: for its reader to accept or to change the outline."""

MAX_EVENTS = 5_000
"""Events of one run that are kept to be shown again."""


@dataclass
class LiveRun:
    """A run as it is shown. `reason` says why there is no report, or what is missing of it.

    `answered`: there is no report because none was needed, or no source speaks of the question;
    `reason` is then what there is to say. `followers` counts who looks on.
    """

    begun: SavedReport
    member: Member
    state: RunState = "waiting"
    reason: str = ""
    answered: bool = False
    followers: int = 0
    outline: dict[str, Any] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def ended(self) -> bool:
        """Whether nothing more comes of it by itself."""
        return self.state in ("finished", "failed", "stopped")

    def add(self, event: Event) -> None:
        """Note what happened."""
        if len(self.events) < MAX_EVENTS:
            self.events.append(event)
            self._wake()

    def enter(self, state: RunState, reason: str = "") -> None:
        """Go over to another state."""
        self.state, self.reason = state, reason
        self._wake()

    async def wait_for_change(self) -> None:
        """Return when there is more to show."""
        await self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


@dataclass(frozen=True)
class WaitingRun:
    """A run that waits for its turn; `answer`: to the outline; `is_new`: nothing is written yet."""

    run: LiveRun
    answer: object
    is_new: bool
