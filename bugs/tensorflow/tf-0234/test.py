"""Healthy: the model is trained with the purchases of all customers."""

import next_article
import oracle

oracle.survives(next_article.main, 5)
