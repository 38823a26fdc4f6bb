"""The chat model of an installation without one: it answers from the passages in its prompt."""
