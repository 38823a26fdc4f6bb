"""From what sources hand over to text, names, dates and positions."""
