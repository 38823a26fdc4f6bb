"""Pages of the web: their addresses, links and dates, and which to read next."""
