"""`python -m cli`: the same as `quire`."""

from cli import run_process

run_process()
