"""Sources: `live` and `indexed`, behind one protocol, found by name."""
