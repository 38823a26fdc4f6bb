"""Text in parts: tokens, sentences, numbers, dates, names, by language."""
