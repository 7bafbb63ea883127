"""Trains the autoencoder of fabric patches in two processes, each with patches of its own."""

import os
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel

from fabric import weave
from networks import Autoencoder

torch.set_num_threads(1)  # one core for each process


def train_step(model, optimizer, patches, weight_code=0.01):
    codes, rebuilt = model(patches)
    # Keep the codes small, so that they can be swapped between patches later.
    loss = F.mse_loss(rebuilt, patches) + weight_code * codes.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def run_rank(rank, world_size, store, seed, steps, results):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world_size)
    torch.manual_seed(seed)
    model = DistributedDataParallel(Autoencoder())
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    patches = weave(64, seed=1000 * seed + rank)
    for step in range(steps):
        batch = patches[torch.randperm(len(patches))[:32]]
        loss = train_step(model, optimizer, batch)
    state = {name: tensor.tolist() for name, tensor in model.module.state_dict().items()}
    results.put((rank, loss, state))
    dist.barrier()
    dist.destroy_process_group()


def launch(seed=0, steps=60, world_size=2):
    """The trained autoencoders of all processes."""
    context = mp.get_context("fork")
    results = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        arguments = (world_size, os.path.join(folder, "store"), seed, steps, results)
        processes = [context.Process(target=run_rank, args=(rank, *arguments)) for rank in range(world_size)]
        for process in processes:
            process.start()
        collected = sorted((results.get(timeout=60) for _ in processes), key=lambda result: result[0])
        for process in processes:
            process.join()
    models = []
    for rank, loss, state in collected:
        print(f"rank {rank}: last loss {loss:.4f}")
        models.append(Autoencoder())
        models[-1].load_state_dict({name: torch.tensor(values) for name, values in state.items()})
    return models


@torch.no_grad()
def held_out_error(model, patches):
    return F.mse_loss(model(patches)[1], patches).item()


def main():
    new_patches = weave(256, seed=77)
    for rank, model in enumerate(launch()):
        codes, _ = model(new_patches[:1])
        print(f"rank {rank}: held-out error {held_out_error(model, new_patches):.4f}, first code", end=" ")
        print([round(value, 3) for value in codes[0].tolist()])


if __name__ == "__main__":
    main()
