"""A search over the tables, stage by stage."""
