"""The steps of a deep search: begin, choose, then search, visit, reflect or answer; evaluate."""
