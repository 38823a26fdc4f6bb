"""What a program calls: runs, reports, search, sources, the state of an installation."""
