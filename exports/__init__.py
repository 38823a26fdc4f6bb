"""Reports in the formats that people open."""
