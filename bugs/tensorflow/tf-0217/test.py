"""Healthy: the latent model trains on the recorded transitions to the end."""

import learn_world
import oracle

oracle.survives(learn_world.main)
