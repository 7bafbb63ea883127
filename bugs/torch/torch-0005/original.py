class Simple(nn.Module):
    def __init__(self):
        super().__init__()
        self.counter = 0

    def forward(self, x):
        self.counter += 1
        print(self.counter)  # 1, 2, 3 ... without data parallel, 1, 1, 1 ... with it
        return x


net = Simple()
if data_parallel:
    net = nn.DataParallel(net)
net.cuda()
for i in range(10):
    net(Variable(torch.randn(10, 10)))
