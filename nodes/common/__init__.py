"""What several steps have in common."""
