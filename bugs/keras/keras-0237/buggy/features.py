"""Logarithmic spectrograms in mel bands."""

import tensorflow as tf

from calls import RATE

FRAME, STEP, BANDS = 128, 64, 20


def log_mel(sounds):
    spectra = tf.abs(tf.signal.stft(sounds, FRAME, STEP, fft_length=FRAME))
    mel = tf.signal.linear_to_mel_weight_matrix(BANDS, FRAME // 2 + 1, RATE, 60.0, 950.0)
    energies = tf.matmul(spectra**2, mel)
    return tf.math.log(energies)
