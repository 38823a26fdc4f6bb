"""A run's progress on a terminal; silent where standard error is not one."""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from schema.events import Event
from serving.plain import one_line


class RunProgress:
    """Shows events as they come. Use it as a context manager and call it with each event."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
            redirect_stdout=sys.stdout.isatty(),  # what goes to a file goes on to it
        )
        self._task = self._bar.add_task("starting", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def __call__(self, event: Event) -> None:
        """Show one event."""
        match event["type"]:
            case "ingested":
                self._step(f"reading {event['uri'].rsplit('/', 1)[-1][:40]}")
                if event["outcome"] == "skipped":
                    self._say(f"skipped {event['reason']}", "yellow")
            case "embedded":
                self._step("embedding", event["vectors"])
            case "question":
                self._phase("planning", None)
            case "outline":
                self._say(event["title"], "bold")
                for title in event["sections"]:
                    self._say(f"· {title}", indent=2)
                self._phase("asking sources", None)
            case "searched":
                self._step("asking sources")
                if event["error"]:
                    self._say(event["error"], "yellow")
            case "pool":
                found = f"{event['passages']} passages of {event['sources']} sources"
                self._phase(f"writing from {found}", None)
            case "step":
                self._step(event["action"])
                self._say(f"{event['why']} {event['outcome']}", indent=2)
            case "written":
                self._step(f"wrote “{event['title'][:50]}”")
            case _:
                pass

    def _phase(self, text: str, total: int | None) -> None:
        self._bar.update(self._task, description=one_line(text), completed=0, total=total)

    def _step(self, text: str, advance: int = 1) -> None:
        self._bar.update(self._task, description=one_line(text), advance=advance)

    def _say(self, text: str, style: str = "", indent: int = 0) -> None:
        if not self._bar.disable:
            self._bar.console.print(Text(" " * indent + one_line(text), style))
