"""The proof core: premises, steps and worlds of a derivation, how they are checked, mutated and written down."""
