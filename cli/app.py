"""All commands of `quire`, by name."""

import typer

from cli.ask import ask
from cli.doctor import doctor
from cli.jobs import app as jobs_app
from cli.jobs import worker
from cli.keys import app as keys_app
from cli.library import ingest, tree
from cli.mcp import mcp
from cli.migrate import migrate
from cli.models import app as models_app
from cli.pause import pause
from cli.report import report
from cli.reports import app as reports_app
from cli.reports import export
from cli.search import search
from cli.serve import serve
from cli.sources import app as sources_app
from cli.sources import sync
from cli.team import app as team_app
from cli.verify import verify
from cli.watch import watch

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Turns a question into a cited report, from your documents and the live web.",
)
app.command()(report)
app.command()(pause)
app.command()(watch)
app.add_typer(reports_app, name="reports")
app.command()(export)
app.command()(verify)
app.command()(ask)
app.command()(ingest)
app.command()(search)
app.command()(tree)
app.add_typer(sources_app, name="sources")
app.command()(sync)
app.add_typer(models_app, name="models")
app.command()(serve)
app.command()(mcp)
app.command()(worker)
app.add_typer(jobs_app, name="jobs")
app.add_typer(team_app, name="team")
app.add_typer(keys_app, name="keys")
app.command()(migrate)
app.command()(doctor)
