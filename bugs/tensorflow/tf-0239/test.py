"""Healthy: the log of a training shows how well the model does on strokes that it was not trained on."""

import oracle
import write_strokes


def epochs_with_that_figure(seed):
    model, log = write_strokes.train(seed)
    unseen = float(write_strokes.mean_error(model, write_strokes.make_strokes()[: write_strokes.HELD_OUT]))
    last = [figure for figure in log[-1].values() if abs(figure - unseen) < 1e-3 * unseen]
    return len(log) if last and len({len(row) for row in log}) == 1 else 0


oracle.value("epochs that show it", epochs_with_that_figure, equals=120)
