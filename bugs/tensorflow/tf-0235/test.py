"""Healthy: the training ends with the best epoch restored."""

import find_genes
import oracle

oracle.survives(find_genes.train, 2)
