"""Sources that are asked at question time, one file each."""
