"""Compiled loops over any ruleset: random playouts, batches of games, perft."""
