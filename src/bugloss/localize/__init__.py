"""Report and repository in, ranked files and functions out.

A repository is read from its object store at one commit, never from the work tree. What a file says is worked out once
per blob and kept; a ranking asks the index of a tree, the history before the commit, and the report's own words.
"""
