"""One comparison per kind of claim; :mod:`experiments.compare` says what each needs."""
