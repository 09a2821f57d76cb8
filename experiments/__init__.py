"""Where theory and numerics meet: studies, stores, comparisons, pictures, and the command line."""

import time

STARTED = time.time_ns()
"""When this process began to read its sources: a file that changed later may not be what runs here."""
