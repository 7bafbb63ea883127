"""Healthy: every device of the strategy takes its share of the images."""

import explain_images
import oracle


def smallest_share(seed):
    images_per_device = explain_images.main(seed)
    return min(images_per_device) / sum(images_per_device)


oracle.value("smallest share of the images on one device", smallest_share, at_least=0.4)
