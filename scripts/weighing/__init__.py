"""Fits the weights of ``observe/weights.toml`` to recorded programs; needs SciPy (``pip install 'bugloss[studies]'``)."""
