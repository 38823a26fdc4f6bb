"""All commands of `quire`, by name."""

import typer

from serving.ask_command import ask
from serving.doctor_command import doctor
from serving.library_command import ingest, tree
from serving.report_command import report
from serving.reports_command import app as reports_app
from serving.search_command import search
from serving.sources_command import app as sources_app
from serving.sources_command import sync

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Turns a question into a cited report, from your documents and the live web.",
)
app.command()(report)
app.add_typer(reports_app, name="reports")
app.command()(ask)
app.command()(ingest)
app.command()(search)
app.command()(tree)
app.add_typer(sources_app, name="sources")
app.command()(sync)
app.command()(doctor)
