"""Edits of a crash that nothing is known to repair: changes that fit the kind of crash, at the places of its values.

What enters: a case whose program stopped. What leaves: small edits, each of one type of change (a size, an axis, a
data type, an argument, a layer), the likeliest first. Which of them is right is found out by running them.
"""
