"""Writes ``recorded``: logs as TensorBoard 2.21 and W&B 0.31 themselves write them. Needs both: pip install tensorboard wandb.

plain      one event file with simple values; the loss becomes NaN
wandb      an offline run whose validation loss turns around; it ended with exit code 1
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent / "recorded"


def write_events(folder: Path, rows: list[tuple[str, int, float]]) -> None:
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    shutil.rmtree(folder, ignore_errors=True)
    writer = EventFileWriter(str(folder))
    for tag, step, value in rows:
        summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
        writer.add_event(Event(step=step, wall_time=1.8e9 + step, summary=summary))
    writer.close()


def overfitting(epoch: int) -> tuple[float, float]:
    return 1.2 * 0.8**epoch, 1.2 * 0.8 ** min(epoch, 6) + 0.08 * max(epoch - 6, 0)


def write_wandb() -> None:
    os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true", WANDB_DISABLE_CODE="true", WANDB_DISABLE_GIT="true")
    import wandb

    work = tempfile.mkdtemp()
    settings = wandb.Settings(x_disable_meta=True, x_disable_stats=True, x_save_requirements=False, console="off")
    run = wandb.init(project="curves", dir=work, settings=settings)
    for step in range(140):
        row = {"train/loss": overfitting(step // 7)[0], "lr": 0.001, "layers": {"fc": step}}
        if step % 7 == 6:
            row |= {"val/loss": overfitting(step // 7)[1], "val/acc": 50.0 + step / 7}
        run.log(row)
    run.finish(exit_code=1)
    found = next(Path(work).rglob("*.wandb"))
    (FOLDER / "wandb").mkdir(parents=True, exist_ok=True)
    shutil.copy(found, FOLDER / "wandb" / "run-example.wandb")


def main() -> int:
    rows = [("Loss/train", step, 2.3 * 0.95**step if step < 30 else float("nan")) for step in range(40)]
    write_events(FOLDER / "plain", rows)
    write_wandb()
    return 0


if __name__ == "__main__":
    sys.exit(main())
