"""Sources that are brought into the library and searched there, one file each."""
