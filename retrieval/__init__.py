"""Pure ranking: text in, numbers and spans out. No network, no database, no clock."""
