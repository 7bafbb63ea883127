# VGG16 from keras/applications with a penalty added in every layer
x = Conv2D(512, (3, 3), activation='relu', padding='same', name='block4_conv3', **penalty)(x)
x = Flatten()(x)
x = Dense(1024, activation='relu', **penalty)(x)
x = Dropout(0.5)(x)
predictions = Dense(n_classes, activation='softmax', **penalty)(x)

model = Model(img_input, predictions)
model.compile(optimizer=SGD(lr=1e-4, momentum=0.9), loss='categorical_crossentropy', metrics=['accuracy'])
model.fit_generator(train_gen, steps_per_epoch=200, epochs=30, validation_data=val_gen, validation_steps=40)
