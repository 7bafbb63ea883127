"""Healthy: five iterations with several steps of both networks run to their end."""

import grow_textures
import oracle

oracle.survives(grow_textures.main)
