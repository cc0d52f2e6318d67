"""Training scripts, one a method; each reads from top to bottom."""
