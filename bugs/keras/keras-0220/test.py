"""Healthy: the autoencoder is compiled and trained."""

import oracle
import rhythm_vae

oracle.survives(rhythm_vae.main)
