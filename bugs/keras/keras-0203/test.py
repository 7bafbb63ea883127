"""Healthy: the network is trained and the table is printed."""

import face_moods
import oracle

oracle.survives(face_moods.main)
