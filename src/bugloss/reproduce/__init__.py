"""Turns a report into a program that shows the bug.

What enters: a report taken apart, and a function that runs a program's text and says how it ended. What leaves: the
program, the edits that made it run, and how near its failure comes to the reported one. Nothing is executed here.
"""
