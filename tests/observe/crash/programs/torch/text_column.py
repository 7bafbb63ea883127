import csv
import io

import numpy as np
import torch

TEXT = """size,rooms,price
70,3,210
55,2,180
120,5,400
"""


def read(text):
    rows = list(csv.reader(io.StringIO(text)))
    return np.array(rows[1:])


table = read(TEXT)
inputs, prices = table[:, :2], table[:, 2]
inputs = torch.tensor(inputs)
net = torch.nn.Linear(2, 1)
print(net(inputs.float()).shape)
