from keras.layers import LSTM, Dense
from keras.models import Sequential

model = Sequential()
model.add(LSTM(8, input_shape=(5, 3)))
model.add(LSTM(4))
model.add(Dense(1))
print(model.output_shape)
