"""PostgreSQL: the server, connections, roles, locks, checkpoints."""
