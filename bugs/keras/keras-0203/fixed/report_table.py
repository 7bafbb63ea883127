"""Prints what happened in each epoch."""


def best_epoch(history):
    accuracies = history.history["val_accuracy"]
    return max(range(len(accuracies)), key=accuracies.__getitem__)


def print_history(history):
    print("epoch   loss    acc   val_loss  val_acc")
    columns = zip(history.history["loss"], history.history["accuracy"],
                  history.history["val_loss"], history.history["val_accuracy"])
    for epoch, (loss, acc, val_loss, val_acc) in enumerate(columns, 1):
        print("%5d %6.3f %6.3f %8.3f %8.3f" % (epoch, loss, acc, val_loss, val_acc))
    print("best epoch: %d" % (best_epoch(history) + 1))
