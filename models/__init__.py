"""Models by name: chat, embedding, rerank, and what stands in for them when none is configured."""
