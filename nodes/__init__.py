"""The steps of the graphs: one a file. No step knows another."""
