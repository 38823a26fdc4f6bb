"""The steps of the graphs: one a file, a folder a graph. No step knows another."""
