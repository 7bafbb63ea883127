"""Finds deep-learning bugs in source code, before anything runs.

What enters: Python files and notebooks. What leaves: ``Finding``s. No framework is imported: a file is
parsed, its names are resolved, and its values are followed abstractly (constants, shapes, types, ranges);
rules then ask the resulting ``Program``. Front function: ``inspection.check_paths``.
"""
