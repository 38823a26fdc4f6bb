"""Sources: one file each in `live` and `indexed`, behind one protocol, found by name."""
