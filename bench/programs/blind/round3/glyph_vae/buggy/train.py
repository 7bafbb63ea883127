import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np

from model import GlyphVAE, reconstruction_loss

SIZE = 16
LATENT = 6
EPOCHS = 12


def draw_glyph(rng):
    """A ring, a cross or a bar of random place and size."""
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    cy, cx = rng.uniform(5, 11, size=2)
    r = rng.uniform(3, 5)
    kind = rng.integers(3)
    if kind == 0:
        img = np.abs(np.hypot(yy - cy, xx - cx) - r) < 0.9
    elif kind == 1:
        img = ((np.abs(yy - cy) < 1) & (np.abs(xx - cx) < r)) | ((np.abs(xx - cx) < 1) & (np.abs(yy - cy) < r))
    else:
        img = (np.abs(yy - cy) < 1.6) & (np.abs(xx - cx) < r)
    return img.astype("float32")


def make_glyphs(n, seed):
    rng = np.random.default_rng(seed)
    return np.stack([draw_glyph(rng) for _ in range(n)])[..., None]


def active_units(mean):
    return int((mean.var(axis=0) > 0.05).sum())


def main():
    keras.utils.set_random_seed(0)
    x_train, x_test = make_glyphs(3000, seed=1), make_glyphs(500, seed=2)

    vae = GlyphVAE(SIZE, LATENT)
    vae.compile(optimizer=keras.optimizers.Adam(2e-3), loss=reconstruction_loss)
    vae.fit(x_train, x_train, epochs=EPOCHS, batch_size=64, verbose=2)

    mean, log_var = vae.encoder.predict(x_test, verbose=0)
    x_hat = vae.decoder.predict(mean, verbose=0)
    mse = np.mean((x_hat - x_test) ** 2)
    baseline = np.mean((x_train.mean(axis=0) - x_test) ** 2)
    print(f"test reconstruction mse {mse:.4f}  (mean image: {baseline:.4f})")
    print(f"active latent units: {active_units(mean)} of {LATENT}")

    z = np.random.default_rng(3).standard_normal((4, LATENT)).astype("float32")
    for img in vae.decoder.predict(z, verbose=0)[:2, :, :, 0]:
        print("\n".join("".join(" .:*#"[int(v * 4.99)] for v in row) for row in img))
        print("-" * SIZE)


if __name__ == "__main__":
    main()
