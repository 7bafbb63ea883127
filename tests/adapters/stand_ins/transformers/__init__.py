"""As much of Hugging Face's Trainer as its callbacks can tell; like accelerate, it reads one batch ahead."""

import torch


class TrainerCallback:
    def on_train_begin(self, args, state, control, **kwargs):
        pass

    def on_train_end(self, args, state, control, **kwargs):
        pass


class TrainingArguments:
    def __init__(self, num_train_epochs=1, gradient_accumulation_steps=1, learning_rate=1e-3, **others):
        self.epochs, self.parts, self.rate = num_train_epochs, gradient_accumulation_steps, learning_rate


class CallbackHandler:
    def __init__(self, callbacks):
        self.callbacks = list(callbacks)


def ahead(loader):
    batches = iter(loader)
    batch = next(batches)
    for following in batches:
        yield batch
        batch = following
    yield batch


class Trainer:
    def __init__(self, model, args, train_dataset, eval_dataset, callbacks):
        self.model, self.args, self.callback_handler = model, args, CallbackHandler(callbacks)
        self.train_loader = torch.utils.data.DataLoader(train_dataset, 16, shuffle=True)
        self.eval_loader = torch.utils.data.DataLoader(eval_dataset, 8)

    def call(self, hook, **kwargs):
        for callback in self.callback_handler.callbacks:
            getattr(callback, hook)(self.args, None, None, **kwargs)

    def train(self):
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=self.args.rate)
        self.call("on_train_begin", model=self.model, optimizer=optimizer)
        for _ in range(self.args.epochs):
            self.model.train()
            for index, batch in enumerate(ahead(self.train_loader)):
                (self.model(**batch)["loss"] / self.args.parts).backward()
                if (index + 1) % self.args.parts == 0:
                    optimizer.step()
                    self.model.zero_grad()
            self.evaluate()
        self.call("on_train_end", model=self.model)

    def evaluate(self):
        self.model.eval()
        with torch.no_grad():
            for batch in ahead(self.eval_loader):
                self.model(**batch)
