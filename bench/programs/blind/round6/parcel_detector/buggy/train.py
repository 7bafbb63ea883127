"""Find the parcel on a conveyor image: class and box from one network.

The box term is faded in over the first epochs, so that the classes come first.
"""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SIZE, KINDS = 24, 3
EPOCHS, RAMP, BATCH = 14, 5, 32


def make_images(n, seed):
    rng = np.random.RandomState(seed)
    images = rng.normal(0, 0.15, (n, SIZE, SIZE, 1)).astype('float32')
    kinds = rng.randint(0, KINDS, n)
    boxes = np.empty((n, 4), dtype='float32')
    for i in range(n):
        h, w = rng.randint(6, 12, 2)
        top, left = rng.randint(0, SIZE - h), rng.randint(0, SIZE - w)
        patch = images[i, top:top + h, left:left + w, 0]
        if kinds[i] == 0:
            patch += 1.0
        elif kinds[i] == 1:
            patch[::2] += 1.0
        else:
            patch[:, ::2] += 1.0
        boxes[i] = np.array([top, left, top + h, left + w]) / float(SIZE)
    return images, kinds.astype('int32'), boxes


def build_model():
    inp = layers.Input((SIZE, SIZE, 1))
    x = layers.Conv2D(16, 3, padding='same', activation='relu')(inp)
    x = layers.MaxPooling2D()(x)
    x = layers.Conv2D(32, 3, padding='same', activation='relu')(x)
    x = layers.MaxPooling2D()(x)
    x = layers.Flatten()(x)
    x = layers.Dense(64, activation='relu')(x)
    return tf.keras.Model(inp, [layers.Dense(KINDS)(x), layers.Dense(4)(x)])


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(1e-3)
        self.ce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.huber = tf.keras.losses.Huber(0.1)
        self.box_weight = 0.0

    @tf.function
    def step(self, images, kinds, boxes):
        with tf.GradientTape() as tape:
            logits, pred = self.model(images, training=True)
            cls_loss = self.ce(kinds, logits)
            box_loss = self.huber(boxes, pred)
            loss = cls_loss + self.box_weight * box_loss
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return cls_loss, box_loss

    def fit(self, ds, val, epochs):
        for epoch in range(epochs):
            self.box_weight = 100.0 * min(1.0, epoch / RAMP)
            parts = np.array([[float(v) for v in self.step(*batch)] for batch in ds])
            acc, iou = evaluate(self.model, *val)
            print('epoch %2d  class loss %.4f  box loss %.4f  val acc %.3f  val IoU %.3f'
                  % (epoch + 1, parts[:, 0].mean(), parts[:, 1].mean(), acc, iou))


def evaluate(model, images, kinds, boxes):
    logits, pred = model.predict(images, batch_size=100, verbose=0)
    lo, hi = np.maximum(pred[:, :2], boxes[:, :2]), np.minimum(pred[:, 2:], boxes[:, 2:])
    inter = np.prod(np.clip(hi - lo, 0, None), axis=1)
    area = lambda b: np.prod(np.clip(b[:, 2:] - b[:, :2], 0, None), axis=1)
    iou = inter / (area(pred) + area(boxes) - inter + 1e-9)
    return np.mean(logits.argmax(1) == kinds), iou.mean()


def main():
    tf.random.set_seed(13)
    train = make_images(1600, seed=1)
    val = make_images(300, seed=2)
    ds = tf.data.Dataset.from_tensor_slices(train).shuffle(1600, seed=3).batch(BATCH)
    Trainer(build_model()).fit(ds, val, EPOCHS)


if __name__ == '__main__':
    main()
