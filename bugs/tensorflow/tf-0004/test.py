"""Healthy: the program trains, stores its weights and resumes from them without an error."""

import oracle

import resume_training

oracle.survives(resume_training.main, oracle.base_seed())
