"""Which way the stable curvatures move with the learning rate, the batch size and the distance (breakeven:L4)."""
