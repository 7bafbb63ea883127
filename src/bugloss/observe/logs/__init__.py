"""Curves that other programs logged (TensorBoard, W&B, CSV, JSON lines) → events of a recording.

What enters is an open file of somebody else's; what leaves is a list of events as a probe writes them. Only what curves
show can be judged from it: ``training`` says which names were read as what.
"""
