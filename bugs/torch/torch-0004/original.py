class VariationalGenerator(nn.Module):
    def __init__(self, input_nc, output_nc):
        super().__init__()
        size = 128
        self.encoder = Encoder(input_nc, size)
        self.decoder = Decoder(output_nc, size)
        self.noise = torch.randn(batch_size, size)

    def forward(self, inputs):
        mu, log_sigma = self.encoder(inputs)
        if self.training:
            self.noise.normal_()
        return self.decoder(mu + self.noise * torch.exp(0.5 * log_sigma)), mu, log_sigma


net = VariationalGenerator(3, 3)
net.to("cuda:0")
out, mu, log_sigma = net(images.to("cuda:0"))  # fails here
