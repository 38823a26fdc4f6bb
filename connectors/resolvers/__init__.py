"""Facts about a reference, looked up: one resolver a file, behind one protocol, found by id."""
