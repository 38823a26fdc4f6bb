"""Documents into the tables, with everything that a search reads."""
