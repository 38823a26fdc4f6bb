"""The steps before the search: the question understood, the report planned."""
