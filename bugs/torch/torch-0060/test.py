"""Healthy: sixty recordings are counted, whatever the number of workers."""

import collect_stats
import oracle


def counts(seed):
    found = []
    for num_workers in (0, 2, 3):
        stats = collect_stats.collect(num_workers)
        found.append([stats["count"], len(set(stats["keys"]))])
    return found


oracle.value("recordings and different keys with 0, 2 and 3 workers", counts, equals=[[60, 60], [60, 60], [60, 60]])
