"""What is known about networks and training, whichever framework they are written in.

Tables of losses, activations, layers, optimizers, metrics and known data sets, one row for each thing, found by any
of its names; and ``fit.misfits``, which says whether an output layer, a loss and targets match, why not, and which
edits would make them. Every room reads these tables and keeps none of its own.
"""
