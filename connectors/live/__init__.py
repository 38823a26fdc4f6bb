"""Sources that are asked at question time: a file or folder each."""
