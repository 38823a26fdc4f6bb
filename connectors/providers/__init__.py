"""What the connectors of one provider, or of a few, are made of."""
