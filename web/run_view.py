"""What a page shows of a run: the plan, and what was searched, read and written so far."""

from dataclasses import dataclass, field

from schema.events import Event
from serving.background import describe_event
from serving.live_run import LiveRun

SHOWN_SEARCHES = 12
SHOWN_STEPS = 8


@dataclass
class PlannedSection:
    """A section of the plan; `words` is about how many it got, 0 before it was written."""

    title: str
    words: int = 0


@dataclass
class RunView:
    """A run as its events tell it; of searches and steps the last ones."""

    title: str = ""
    sections: list[PlannedSection] = field(default_factory=list)
    searches: int = 0
    found: int = 0
    failed_searches: int = 0
    last_searches: list[tuple[str, str, int, str]] = field(default_factory=list)
    pages: int = 0
    failed_pages: int = 0
    sources: int = 0
    passages: int = 0
    documents: int = 0
    steps: list[tuple[str, str]] = field(default_factory=list)
    says: str = "The question is being read."


def view_run(run: LiveRun, place: int = 0) -> RunView:
    """Put together what the events of a run say.

    Args:
        run: what is shown.
        place: in the queue, from 1, where it waits for its turn.
    """
    view = RunView()
    for event in run.events:
        _add(view, event)
        view.says = describe_event(event) or view.says
    if run.state == "waiting":
        view.says = f"It waits for its turn, as number {place}."
    del view.last_searches[:-SHOWN_SEARCHES], view.steps[:-SHOWN_STEPS]
    return view


def _add(view: RunView, event: Event) -> None:
    match event["type"]:
        case "outline" | "outline_revised":
            view.title = event["title"]
            view.sections = [PlannedSection(title) for title in event["sections"]]
        case "searched":
            view.searches += 1
            view.found += event["found"]
            view.failed_searches += bool(event["error"])
            view.last_searches.append(
                (event["connector"], event["question"], event["found"], event["error"])
            )
        case "pages":
            view.pages += event["read"]
            view.failed_pages += event["failed"]
        case "pool":
            view.sources, view.passages = event["sources"], event["passages"]
        case "written":
            _mark_written(view, event["section"], event["title"], event["characters"])
        case "step":
            view.steps.append((event["action"], f"{event['why']} {event['outcome']}".strip()))
        case "ingested":
            view.documents += 1
        case _:
            pass


def _mark_written(view: RunView, place: int, title: str, characters: int) -> None:
    words = max(1, characters // 6)
    if 0 <= place < len(view.sections):
        view.sections[place].words = words
    elif not any(one.title == title for one in view.sections):  # the summary, which no plan has
        view.sections.append(PlannedSection(title, words))
