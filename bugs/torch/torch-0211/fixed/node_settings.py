"""Applies the settings of a node to this process."""

import pathlib
import resource
import tomllib

import torch.multiprocessing


def apply(path="node.toml"):
    settings = tomllib.loads((pathlib.Path(__file__).parent / path).read_text())
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (settings["files"]["open_files"], hard))
    torch.multiprocessing.set_sharing_strategy(settings["tensors"]["sharing"])
