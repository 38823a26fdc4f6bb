"""The library: documents and chunks in PostgreSQL, and the search over them."""
