"""Programs that fork, spawn, run threads, and end one way or another."""

from __future__ import annotations

from forked_programs import Program

from odd_programs.torch_loops import HEADER

PROGRAMS = {
    "forked-training": Program(
        HEADER
        + """
import multiprocessing
def work(seed):
    torch.manual_seed(seed)
    model = net()
    return train(model)
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(work, [1, 2, 3]))
    child = multiprocessing.get_context("fork").Process(target=work, args=(4,))
    child.start(), child.join()
    print(child.exitcode)
    model = net()
    print(train(model))
    show(model)
"""
    ),
    "spawned": Program(
        HEADER
        + """
import multiprocessing
def work(queue):
    queue.put(train(net()))
if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    child = context.Process(target=work, args=(queue,))
    child.start()
    print(queue.get())
    child.join()
    model = net()
    print(train(model), child.exitcode)
    show(model)
""",
        fresh=True,
    ),
    "threads": Program(
        HEADER
        + """
import threading
models = [net(), net()]
answers = [None, None]
inputs = [x.clone(), x.clone()]
together = threading.Barrier(2)
def work(place):
    optimizer = torch.optim.SGD(models[place].parameters(), lr=0.3)
    for number in range(40):
        optimizer.zero_grad()
        loss = F.cross_entropy(models[place](inputs[place]), y)
        loss.backward()
        if number == 0: together.wait()
        optimizer.step()
    answers[place] = loss.item()
workers = [threading.Thread(target=work, args=(place,)) for place in (0, 1)]
for worker in workers: worker.start()
for worker in workers: worker.join()
print(answers)
show(*models)
"""
    ),
    "thread-left": Program(
        HEADER
        + """
import threading, time
def work():
    time.sleep(0.2)
    model = net()
    print(train(model))
    show(model)
threading.Thread(target=work).start()
"""
    ),
    "thread-after-main": Program(
        HEADER
        + """
import threading
model = net()
print(model(x[:2]).shape)
def work():
    print(train(model, 40))
for _ in range(2):
    worker = threading.Thread(target=work)
    worker.start(), worker.join()
show(model)
"""
    ),
    "exit-3": Program(
        HEADER
        + """
model = net()
train(model)
show(model)
import sys
sys.exit(3)
""",
        code=3,
    ),
    "sudden-exit": Program(
        HEADER
        + """
model = net()
train(model)
show(model)
import os, sys
sys.stdout.flush()
os._exit(5)
""",
        code=5,
    ),
    "interrupted": Program(
        HEADER
        + """
model = net()
train(model)
show(model)
raise KeyboardInterrupt
""",
        code=-2,
    ),
    "signalled": Program(
        HEADER
        + """
import os, signal
model = net()
train(model)
show(model)
import sys; sys.stdout.flush()
os.kill(os.getpid(), signal.SIGTERM)
""",
        code=-15,
    ),
    "raised": Program(
        HEADER
        + """
model = net()
train(model)
show(model)
class Odd(Exception):
    def __str__(self):
        raise RuntimeError("no words")
raise Odd()
""",
        code=1,
    ),
    "closed-output": Program(
        HEADER
        + """
import sys
model = net()
train(model)
sys.stdout.close()
train(model)
open("answer", "w").write("x")
"""
    ),
    "other-folder": Program(
        HEADER
        + """
import os
os.makedirs("elsewhere")
os.chdir("elsewhere")
model = net()
print(train(model), os.path.basename(os.getcwd()))
torch.save(model.state_dict(), "weights.pt")
show(model)
"""
    ),
    "lost-folder": Program(
        HEADER
        + """
import os, shutil
model = net()
train(model, 10)
shutil.rmtree(os.getcwd())
print(train(model, 10), os.path.exists("train.py"))
show(model)
"""
    ),
    "no-framework": Program(
        """print(sum(range(10)))
""",
        fresh=True,
    ),
    "empty": Program("", fresh=True),
    "only-imports": Program(
        """import torch
print(torch.ones(2).sum())
"""
    ),
}
