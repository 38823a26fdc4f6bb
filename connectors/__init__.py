"""Sources: one file each, behind one protocol, found by name."""
