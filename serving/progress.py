"""A run's progress on a terminal; silent where standard error is not one."""

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

from schema.events import Event


class RunProgress:
    """Shows events as they come. Use it as a context manager and call it with each event."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
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
                    self._say(f"[yellow]skipped[/] {event['reason']}")
            case "embedded":
                self._step("embedding", event["vectors"])
            case "question":
                self._phase("planning", None)
            case "outline":
                self._say(f"[bold]{event['title']}[/]")
                for title in event["sections"]:
                    self._say(f"  · {title}")
                self._phase("asking sources", None)
            case "searched":
                self._step("asking sources")
                if event["error"]:
                    self._say(f"[yellow]{event['error']}[/]")
            case "pool":
                found = f"{event['passages']} passages of {event['sources']} sources"
                self._phase(f"writing from {found}", None)
            case "step":
                self._step(event["action"])
                self._say(f"  {event['why']} {event['outcome']}".rstrip())
            case "written":
                self._step(f"wrote “{event['title'][:50]}”")
            case _:
                pass

    def _phase(self, text: str, total: int | None) -> None:
        self._bar.update(self._task, description=text, completed=0, total=total)

    def _step(self, text: str, advance: int = 1) -> None:
        self._bar.update(self._task, description=text, advance=advance)

    def _say(self, text: str) -> None:
        if not self._bar.disable:
            self._bar.console.print(text)
