"""As much of Lightning as its callbacks can tell: a trainer that calls them in the documented order."""

import torch


class LightningModule(torch.nn.Module):
    current_epoch = 0

    def log(self, name, value):
        pass


class Trainer:
    def __init__(self, max_epochs=1, callbacks=(), accumulate_grad_batches=1, **others):
        self.epochs, self.callbacks, self.parts = max_epochs, list(callbacks), accumulate_grad_batches

    def call(self, hook, *arguments):
        for callback in self.callbacks:
            getattr(callback, hook)(self, *arguments)

    def fit(self, model, train, validation):
        try:
            self.call("setup", model, "fit")
            optimizer = model.configure_optimizers()
            self.call("on_fit_start", model)
            self.evaluate(model, validation, model.validation_step)  # the sanity check
            self.call("on_train_start", model)
            for model.current_epoch in range(self.epochs):
                self.epoch(model, train, optimizer)
                self.evaluate(model, validation, model.validation_step)
            self.call("on_train_end", model)
            self.call("on_fit_end", model)
            self.call("teardown", model, "fit")
        except BaseException as error:
            self.call("on_exception", model, error)
            self.call("teardown", model, "fit")
            raise

    def epoch(self, model, train, optimizer):
        model.train()
        for index, batch in enumerate(train):

            def closure(batch=batch, index=index):
                loss = model.training_step(batch, index) / self.parts
                if index % self.parts == 0:
                    optimizer.zero_grad()
                loss.backward()
                return loss

            if (index + 1) % self.parts:
                closure()
            else:
                optimizer.step(closure)

    def evaluate(self, model, loader, step):
        model.eval()
        with torch.no_grad():
            for index, batch in enumerate(loader):
                step(batch, index)

    def test(self, model, loader, verbose=True):
        self.call("setup", model, "test")
        self.evaluate(model, loader, model.test_step)
        self.call("teardown", model, "test")
