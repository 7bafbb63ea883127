"""Patches for misbehaving programs.

What enters: a ``RepairCase`` (the program's files, findings of check, causes of a diagnosis, the crash). What leaves:
``Patch`` candidates in the order in which they are tried, and, from recordings before and after, the steps of their
validation. Nothing is executed here. Each fix pattern is one module of ``patterns``. Front functions:
``candidates.candidates`` and the steps in ``ladder``.
"""
