"""Trains the command network with several processes on one machine."""

import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

from frames import CommandSet
from model import CommandNet
from trainer import Trainer


def worker(rank, world_size, store, seed, epochs, accum_grad, results):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world_size)
    torch.manual_seed(seed)
    trainer = Trainer(CommandNet(), rank, world_size, accum_grad=accum_grad)
    losses = [trainer.train_epoch(CommandSet(seed=seed), epoch) for epoch in range(epochs)]
    results.put((rank, losses[-1], trainer.weights().tolist()))
    dist.barrier()
    dist.destroy_process_group()


def train(seed=0, epochs=4, accum_grad=4, world_size=2):
    """Last loss and weights of each process, in the order of their ranks."""
    context = mp.get_context("fork")
    results = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store")
        arguments = (world_size, store, seed, epochs, accum_grad, results)
        processes = [context.Process(target=worker, args=(rank, *arguments)) for rank in range(world_size)]
        for process in processes:
            process.start()
        collected = sorted(results.get(timeout=60) for _ in processes)
        for process in processes:
            process.join()
    return [(loss, torch.tensor(weights)) for _, loss, weights in collected]


def main():
    for accum_grad in (1, 4):
        print(f"accum_grad = {accum_grad}")
        for rank, (loss, weights) in enumerate(train(accum_grad=accum_grad)):
            print(f"  rank {rank}: loss {loss:.4f}  sum of weights {weights.sum():.5f}")


if __name__ == "__main__":
    main()
