"""Trains and validates the classifier of triage; needs scikit-learn (``pip install 'bugloss[studies]'``)."""
