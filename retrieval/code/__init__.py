"""Source code: its symbols, and chunks along them."""
