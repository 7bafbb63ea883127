"""Finds deep-learning bugs in source code, before anything runs.

What enters: Python files and notebooks. What leaves: ``Finding``s. No framework is imported: ``source`` reads a file
and follows its values, and rules query the resulting ``Program``. Front function: ``running.inspection.check_paths``.
"""
