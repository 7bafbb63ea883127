"""Answers requests for the risk of pumps; each request is handled by a thread of the pool."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import tensorflow as tf
from keras import backend as K

import pump_model


class RiskService(object):

    def __init__(self, workers=2):
        self.model = pump_model.trained_model()
        self.graph, self.session = tf.get_default_graph(), K.get_session()
        self.pool = ThreadPoolExecutor(max_workers=workers)

    def risk(self, reading):
        batch = np.asarray(reading, dtype="float32").reshape(1, -1)
        with self.graph.as_default(), self.session.as_default():
            return float(self.model.predict(batch)[0, 0])

    def answer(self, readings):
        jobs = [self.pool.submit(self.risk, reading) for reading in readings]
        return [job.result() for job in jobs]


def main():
    print("keras on tensorflow %s, image format %s" % (tf.__version__, K.image_data_format()))
    service = RiskService()
    readings, _ = pump_model.pump_log(6, seed=1)
    for risk in service.answer(readings):
        print("risk %.2f" % risk)


if __name__ == "__main__":
    main()
