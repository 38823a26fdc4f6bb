"""How many independent origins stand behind a sentence: copies folded into what they copy."""
