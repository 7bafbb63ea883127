"""Healthy: an optimizer with two groups does what two optimizers with one group each do."""

import oracle
import two_groups
from torch_optimizer.radam import RAdam


def difference(seed):
    """The largest difference of a weight after thirty steps."""
    network = two_groups.make_network()
    layers = zip((network[0], network[2]), two_groups.MOMENTA)
    optimizers = [RAdam(list(layer.parameters()), lr=1e-2, betas=betas) for layer, betas in layers]
    expected = two_groups.train(network, optimizers)
    return (two_groups.with_groups() - expected).abs().max().item()


oracle.value("largest difference of a weight", difference, at_most=1e-6)
