import numpy as np
import torch


def make_graph(nodes=600, classes=4, words=80, seed=0):
    """Citation-like graph: papers of a topic cite each other and share words."""
    rng = np.random.default_rng(seed)
    topic = rng.integers(0, classes, nodes)
    same = topic[:, None] == topic[None, :]
    edges = rng.random((nodes, nodes)) < np.where(same, 0.03, 0.003)
    adj = np.triu(edges, 1)
    adj = (adj | adj.T).astype("float32")

    word_rate = rng.uniform(0.02, 0.12, (classes, words))
    features = (rng.random((nodes, words)) < word_rate[topic]).astype("float32")

    order = rng.permutation(nodes)
    masks = {}
    for name, ids in (("train", order[:80]), ("val", order[80:240]), ("test", order[240:])):
        mask = torch.zeros(nodes, dtype=torch.bool)
        mask[torch.from_numpy(ids)] = True
        masks[name] = mask
    return torch.from_numpy(features), normalize(adj), torch.from_numpy(topic), masks


def normalize(adj):
    adj = adj + np.eye(len(adj), dtype="float32")
    scale = 1.0 / np.sqrt(adj.sum(1))
    return torch.from_numpy(adj * scale[:, None] * scale[None, :])
