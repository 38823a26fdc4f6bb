"""The steps that only the watch over a report has."""
