"""What stands between the graphs and people: runs, progress, the state of an installation."""
