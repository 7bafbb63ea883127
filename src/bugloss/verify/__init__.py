"""Runs to verdicts.

What enters: a bug's oracle and its recorded ``Run``s. What leaves: a ``Judgement`` of each run and the
``Stability`` of the bug. Nothing is executed here, so every verdict can be recomputed from stored runs.
Front functions: ``judge.judge`` and ``stability.stability``.
"""
