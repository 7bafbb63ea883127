"""One object per image: predict its class and its bounding box."""
import numpy as np
import keras
from keras import layers

SIZE = 28
KINDS = ["block", "disk", "frame", "diamond"]


def make_scene(rng):
    yy, xx = np.mgrid[:SIZE, :SIZE]
    kind = rng.integers(len(KINDS))
    half = rng.uniform(4, 8)
    cy, cx = rng.uniform(half, SIZE - half, 2)
    dy, dx = np.abs(yy - cy), np.abs(xx - cx)
    if kind == 0:
        area = (dy < half) & (dx < half)
    elif kind == 1:
        area = dy ** 2 + dx ** 2 < half ** 2
    elif kind == 2:
        area = (np.maximum(dy, dx) < half) & (np.maximum(dy, dx) > half - 2)
    else:
        area = dy + dx < half
    image = rng.normal(0.3, 0.06, (SIZE, SIZE)) + area * rng.uniform(0.4, 0.7)
    box = np.array([cx - half, cy - half, cx + half, cy + half]) / SIZE
    return image[..., None], kind, box


def make_set(count, seed):
    rng = np.random.default_rng(seed)
    images, kinds, boxes = zip(*(make_scene(rng) for _ in range(count)))
    return np.float32(images), np.int32(kinds), np.float32(boxes)


def iou(a, b):
    left_top = np.maximum(a[:, :2], b[:, :2])
    right_bottom = np.minimum(a[:, 2:], b[:, 2:])
    inter = np.prod(np.clip(right_bottom - left_top, 0, None), axis=1)
    area = lambda q: np.prod(np.clip(q[:, 2:] - q[:, :2], 0, None), axis=1)
    return inter / (area(a) + area(b) - inter + 1e-9)


def build():
    image = layers.Input((SIZE, SIZE, 1))
    x = image
    for filters in (12, 24, 32):
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = layers.MaxPooling2D()(x)
    x = layers.Flatten()(x)
    x = layers.Dense(64, activation="relu")(x)
    kind = layers.Dense(len(KINDS), name="kind")(x)
    box = layers.Dense(4, activation="sigmoid", name="box")(x)
    return keras.Model(image, {"kind": kind, "box": box})


def main():
    keras.utils.set_random_seed(2)
    images, kinds, boxes = make_set(2000, seed=2)
    val_images, val_kinds, val_boxes = make_set(300, seed=3)
    model = build()
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss={"kind": "sparse_categorical_crossentropy", "box": "mse"},
        loss_weights={"kind": 1.0, "box": 20.0},
        metrics={"kind": "accuracy"},
    )
    model.fit(images, {"kind": kinds, "box": boxes}, batch_size=32, epochs=12, verbose=2,
              validation_data=(val_images, {"kind": val_kinds, "box": val_boxes}))
    out = model.predict(val_images, verbose=0)
    print(f"val class accuracy {(out['kind'].argmax(1) == val_kinds).mean():.3f}, "
          f"mean IoU {iou(out['box'], val_boxes).mean():.3f}")


if __name__ == "__main__":
    main()
