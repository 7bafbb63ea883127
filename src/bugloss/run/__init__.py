"""Environments, the sandbox and execution.

What enters: the name of a stack and a program. What leaves: a built ``Environment`` and the ``Run``
of the program inside it. Front functions: ``environment.provide`` and ``execute.execute``.
"""
