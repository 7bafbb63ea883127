"""Healthy: every row of the progress but the first compares the loss with that of the row before it."""

import embed_rivers
import oracle


def rows_without_comparison(seed):
    rows = embed_rivers.train(seed).rows
    return sum(later[2] != earlier[1] for earlier, later in zip(rows, rows[1:]))


oracle.value("rows that do not show the loss before", rows_without_comparison, equals=0)
