"""All that people see: the routes of every page."""

from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from web import (
    ask,
    changes,
    downloads,
    follow_up,
    library,
    outline,
    passages,
    reports,
    sharing,
    syncs,
)

routes = [
    *ask.routes,
    *changes.routes,
    *downloads.routes,
    *follow_up.routes,
    *library.routes,
    *outline.routes,
    *passages.routes,
    *reports.routes,
    *sharing.routes,
    *syncs.routes,
    Mount("/static/report", StaticFiles(packages=[("exports", "html/static")]), name="report"),
    Mount("/static", StaticFiles(packages=[("web", "static")]), name="static"),
]
