"""Single files that run inside a subject's own environment.

What enters: a program in its own interpreter (any Python from 3.6). What leaves: JSON lines with
plain numbers and words. A probe imports nothing of bugloss and nothing that the subject lacks.
"""
