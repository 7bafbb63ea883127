from keras.layers import Activation, Convolution2D, Dense, MaxPooling2D
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator

model = Sequential()
model.add(Convolution2D(64, 15, 15, input_shape=(225, 225, 1), subsample=(3, 3)))
model.add(Activation("relu"))
model.add(MaxPooling2D(pool_size=(3, 3), strides=(2, 2)))
model.add(Dense(250, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adadelta", metrics=["accuracy"])

# dataset/class1/1.png, dataset/class1/2.png, ... 250 classes
train_data = ImageDataGenerator().flow_from_directory("dataset", color_mode="grayscale", target_size=(225, 225))
model.fit_generator(train_data, 100, 12)
