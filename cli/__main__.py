"""`python -m cli`: the same as `quire`."""

from cli import main

main()
