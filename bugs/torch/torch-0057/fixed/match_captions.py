"""Learns to match images with captions; every process computes its share of the batch."""

import os
import tempfile

import torch
import torch.distributed as dist
import torch.distributed.nn
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn


class TwoTowers(nn.Module):
    """Image features and caption features in one space."""

    def __init__(self, image_size=20, caption_size=12, dim=8):
        super().__init__()
        self.image_tower = nn.Linear(image_size, dim, bias=False)
        self.caption_tower = nn.Linear(caption_size, dim, bias=False)
        self.scale = 5.0

    def forward(self, images, captions):
        return F.normalize(self.image_tower(images), dim=1), F.normalize(self.caption_tower(captions), dim=1)


def gather_batch(vectors):
    """The vectors of all processes, one below the other."""
    return torch.cat(torch.distributed.nn.all_gather(vectors))


def clip_loss(model, images, captions):
    """Each process scores its own rows against the whole batch."""
    image_vectors, caption_vectors = model(images, captions)
    all_images, all_captions = gather_batch(image_vectors), gather_batch(caption_vectors)
    labels = len(images) * dist.get_rank() + torch.arange(len(images))
    image_scores = model.scale * image_vectors @ all_captions.T
    caption_scores = model.scale * caption_vectors @ all_images.T
    return (F.cross_entropy(image_scores, labels) + F.cross_entropy(caption_scores, labels)) / 2


def average_gradients(model):
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()


def work(rank, world_size, store, images, captions, results, steps=1):
    """What one process does; the first one returns the gradients of the last step."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=world_size)
    torch.manual_seed(0)
    model = TwoTowers(images.shape[1], captions.shape[1])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(steps):
        optimizer.zero_grad()
        loss = clip_loss(model, images.chunk(world_size)[rank], captions.chunk(world_size)[rank])
        loss.backward()
        average_gradients(model)
        optimizer.step()
    if rank == 0:
        results.put([parameter.grad.tolist() for parameter in model.parameters()])
    dist.destroy_process_group()


def run(images, captions, world_size=2, steps=1):
    """The gradients after ``steps`` steps with that many processes."""
    context = mp.get_context("fork")
    results = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store")
        arguments = (world_size, store, images, captions, results, steps)
        processes = [context.Process(target=work, args=(rank, *arguments)) for rank in range(world_size)]
        for process in processes:
            process.start()
        gradients = [torch.tensor(gradient) for gradient in results.get(timeout=60)]
        for process in processes:
            process.join()
    return gradients


def make_pairs(count=16, seed=0):
    generator = torch.Generator().manual_seed(seed)
    topic = torch.randn(count, 6, generator=generator)
    return topic @ torch.randn(6, 20, generator=generator), topic @ torch.randn(6, 12, generator=generator)


def main():
    pairs = make_pairs()
    for world_size in (1, 2):
        norms = [gradient.norm().item() for gradient in run(*pairs, world_size=world_size)]
        print(f"{world_size} process(es): gradient norms", " ".join(f"{norm:.4f}" for norm in norms))


if __name__ == "__main__":
    main()
