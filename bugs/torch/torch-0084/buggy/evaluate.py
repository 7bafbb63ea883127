"""Hit rate of a recommender, computed by several processes."""

import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from catalogue import HeldOutBooks, borrowings
from recommender import Factors, fit

torch.set_num_threads(1)


@torch.no_grad()
def count_hits(model, loader, top):
    """How many of the held-out books are among the first ``top``, and how many readers were asked."""
    hits = torch.zeros(2)
    for readers, books in loader:
        best = model(readers).topk(top, dim=1).indices
        hits += torch.tensor([(best == books.unsqueeze(1)).any(dim=1).sum(), len(readers)])
    return hits


def evaluate_share(rank, world_size, store, model, dataset, top, results):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world_size)
    sampler = DistributedSampler(dataset, num_replicas=world_size, rank=rank, shuffle=False)
    hits = count_hits(model, DataLoader(dataset, batch_size=16, sampler=sampler), top)
    dist.all_reduce(hits)
    if rank == 0:
        results.put((hits[0] / hits[1]).item())
    dist.destroy_process_group()


def hit_rate(model, dataset, top=10, world_size=2):
    """Share of the readers whose held-out book is recommended to them."""
    context = mp.get_context("fork")
    results = context.SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        arguments = (world_size, os.path.join(folder, "store"), model, dataset, top, results)
        mp.start_processes(evaluate_share, arguments, nprocs=world_size, start_method="fork")
    return results.get()


def main(readers=41, books=120):
    torch.manual_seed(0)
    borrowed, last = borrowings(readers, books)
    model = fit(Factors(readers, books), borrowed)
    dataset = HeldOutBooks(last)
    for world_size in (1, 2, 3, 4):
        print(f"{world_size} process(es): hit rate @ 10 = {hit_rate(model, dataset, world_size=world_size):.4f}")


if __name__ == "__main__":
    main()
