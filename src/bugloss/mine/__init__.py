"""Commits of a repository → candidates for bugs: fixes of deep-learning code, ranked, with similar fixes grouped.

What enters: ``CommitChange`` values, read by a workflow. What leaves: ``Candidate`` values with the reasons for their
rank. Front functions: ``judge_message``, ``make_candidate`` and ``group_fixes``. Nothing is executed.
"""
