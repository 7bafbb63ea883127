class Decoder(nn.Module):
    def forward(self, encoded, state):
        context, state = self.attend(encoded, state)
        scores = self.out(torch.cat([context, state], dim=-1))
        return F.softmax(scores, dim=-1), state


criterion = nn.NLLLoss(ignore_index=0)
for articles, summaries in loader:
    probs, _ = decoder(encoder(articles), state)
    loss = criterion(probs.view(-1, vocab_size), summaries.view(-1))
    loss.backward()
    optimizer.step()
    print(loss.item())  # small, negative, does not move
