"""The words everything else speaks: documents, sources, reports, run state, run context."""
