"""Objects in a model's words: JSON as it comes, or lines, read by the schema that was asked for."""
