for batch in train_loader:
    onset_logits, offset_logits, pitch_logits = model(batch["features"])
    onset_prob, on_weight = batch["onset"], batch["onset_weight"]
    loss = torch.dot(onset_criterion(onset_logits, onset_prob)[0], on_weight[0]) / torch.sum(on_weight)
    loss.backward()
    optimizer.step()
    total_loss = total_loss + loss.item()  # nan
