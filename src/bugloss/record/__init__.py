"""What was done, kept: runs and results on disk.

What enters: trials as they end. What leaves: the same trials later, whole, so that verdicts can be
recomputed and interrupted work goes on. Front class: ``trials.TrialArchive``.
"""
