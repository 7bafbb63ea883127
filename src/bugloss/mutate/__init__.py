"""Synthetic faults: operators that put one known fault into a healthy program, and the statistics of who notices.

What enters: the text of a program, or two samples of measurements. What leaves: ``Mutant`` objects with exact labels
(operator, file, line, fix pattern), or a ``Killing``. Nothing is run here; ``workflows/synthesis.py`` does that.
Front functions: ``mutants.mutants_of`` and ``killing.decide``.
"""
