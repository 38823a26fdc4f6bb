"""Citation markers, and whether sources support the sentences that cite them."""
