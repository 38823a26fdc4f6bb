"""Documents in passages, and passages in a model's window."""
