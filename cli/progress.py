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

from cli.safe_output import to_one_line
from schema.events import Event


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
                self._advance(f"reading {event['uri'].rsplit('/', 1)[-1][:40]}")
                if event["outcome"] == "skipped":
                    self._print(f"skipped {event['reason']}", "yellow")
            case "embedded":
                self._advance("embedding", event["vectors"])
            case "question":
                self._start_phase("planning", None)
            case "outline" | "outline_revised":
                self._print(event["title"], "bold")
                for title in event["sections"]:
                    self._print(f"· {title}", indent=2)
                self._start_phase("asking sources", None)
            case "searched":
                self._advance("asking sources")
                if event["error"]:
                    self._print(event["error"], "yellow")
            case "pool":
                found = f"{event['passages']} passages of {event['sources']} sources"
                self._start_phase(f"writing from {found}", None)
            case "step":
                self._advance(event["action"])
                self._print(f"{event['why']} {event['outcome']}", indent=2)
            case "written":
                self._advance(f"wrote “{event['title'][:50]}”")
            case _:
                pass

    def _start_phase(self, text: str, total: int | None) -> None:
        self._bar.update(self._task, description=to_one_line(text), completed=0, total=total)

    def _advance(self, text: str, advance: int = 1) -> None:
        self._bar.update(self._task, description=to_one_line(text), advance=advance)

    def _print(self, text: str, style: str = "", indent: int = 0) -> None:
        if not self._bar.disable:
            self._bar.console.print(Text(" " * indent + to_one_line(text), style))
