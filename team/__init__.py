"""Who may come in, what they may use, and what they did: accounts, keys, links, limits, records."""
