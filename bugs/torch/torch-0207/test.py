"""Healthy: the recommender is trained on the table of loans."""

import book_tips
import oracle

oracle.survives(book_tips.train)
