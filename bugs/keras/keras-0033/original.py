left = Sequential()
left.add(Embedding(n_ids, 256))
left.add(LSTM(256, 256))

right = Sequential()
right.add(LSTM(n_features, 256))

model = Sequential()
model.add(Merge([left, right], mode='sum'))
model.add(Dense(256, 1))
model.compile(loss='poisson', optimizer='adam')
model.fit([ids, series], counts, batch_size=256, nb_epoch=20, validation_split=0.1)   # loss: nan
