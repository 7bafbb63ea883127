"""Measurements, kept with the command that made them.

``python -m bench`` runs all of them, ``python -m bench startup overhead`` some. Each writes
``results/<name>.json``. What is compared is measured alternately in one run, because machines are
shared and noisy: read the ratios, not the seconds.
"""
