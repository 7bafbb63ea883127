"""Healthy: the program trains its model and prints an accuracy."""

import oracle

import sort_words

oracle.survives(sort_words.main, oracle.base_seed())
