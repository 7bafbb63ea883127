"""Healthy: a patch is described by the 24 features of the layer before the answers."""

import bark_features
import oracle


def width(seed):
    patches, _ = bark_features.make_patches(10)
    return int(bark_features.features_of(bark_features.train(), patches).shape[1])


oracle.value("features of a patch", width, equals=24)
