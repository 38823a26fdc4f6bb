"""Sources that are indexed in the library: a file or folder each."""
