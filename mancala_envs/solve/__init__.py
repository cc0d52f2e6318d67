"""Perfect play: search, endgame tables, exact values."""
