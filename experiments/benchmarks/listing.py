"""How long ``assay laws`` takes, as a multiple of its limit: importing SymPy in a fresh interpreter.

Run with ``python -m experiments.benchmarks.listing``.
"""

import subprocess
import sys
import time

RUNS = 5
LIMIT = "import sympy"
LISTING = "from experiments.cli import main; main(['laws'])"


def best_seconds(code: str, runs: int = RUNS) -> float:
    """Shortest wall time of a fresh interpreter that runs the code, in seconds."""
    taken = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    return min(taken)


def main() -> None:
    """Print both times and their ratio."""
    limit, listing = best_seconds(LIMIT), best_seconds(LISTING)
    print(f"import sympy {limit:.2f} s, assay laws {listing:.2f} s: {listing / limit:.2f} times its limit")


if __name__ == "__main__":
    main()
