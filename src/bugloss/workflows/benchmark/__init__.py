"""Scores tools on bugs: plans the cells of the matrix, asks each tool about each program, keeps every answer at once.

What enters: a request (task, tools, bugs, folder). What leaves: cells in the folder, and what ``evaluate/matrix`` makes
of them. Front functions: ``evaluate_tools`` and ``regrade``. One observed run of a program serves every tool that reads
recordings.
"""
