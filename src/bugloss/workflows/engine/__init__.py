"""Engines: the same work on the processes of this machine, or on the workers of a dask cluster.

What enters: a function, tasks, and what each task needs. What leaves: results as they come. ``choose_engine`` is the
door; the contract is ``core/engine.py``.
"""
