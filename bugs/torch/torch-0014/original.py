n_train = len(train_data)
split = n_train // 2
indices = list(range(n_train))
train_sampler = torch.utils.data.sampler.SubsetRandomSampler(indices[:split])
valid_sampler = torch.utils.data.sampler.SubsetRandomSampler(indices[split:])
train_loader = torch.utils.data.DataLoader(train_data, batch_size=args.batch_size, sampler=train_sampler)
valid_loader = torch.utils.data.DataLoader(train_data, batch_size=args.batch_size, sampler=valid_sampler)

for epoch in range(args.epochs):
    train(train_loader, model, w_optim, epoch)
    top1 = validate(valid_loader, model, epoch)  # loss hardly changes, Prec@1 is 0.0000 %
