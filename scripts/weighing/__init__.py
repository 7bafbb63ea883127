"""Fits the weights of ``observe/weights.toml`` to recorded programs; needs SciPy (the extra ``studies``)."""
