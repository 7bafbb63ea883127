"""Saves and loads the state of a training, with the options that it was started with."""

import os

import torch


def checkpoint_path(folder, iteration):
    return os.path.join(folder, f"iter_{iteration:06d}.pt")


def save_checkpoint(folder, iteration, model, optimizer, args):
    state = {
        "iteration": iteration,
        "args": args,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "rng_state": torch.get_rng_state(),
    }
    torch.save(state, checkpoint_path(folder, iteration))


def load_checkpoint(folder, iteration, model, optimizer):
    state = torch.load(checkpoint_path(folder, iteration), map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["rng_state"])
    return state["iteration"], state["args"]
