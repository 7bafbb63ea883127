"""Healthy: the graph has as many operations after many episodes as after the first."""

import tensorflow as tf

import oracle
import q_taxi


def added_operations(seed):
    with tf.Graph().as_default() as graph, tf.Session() as session:
        learner = q_taxi.QLearner()
        session.run(tf.global_variables_initializer())
        q_taxi.learn(session, learner, episodes=1, seed=seed)
        before = len(graph.get_operations())
        q_taxi.learn(session, learner, episodes=20, seed=seed + 1)
        return len(graph.get_operations()) - before


oracle.value("operations that 20 episodes added to the graph", added_operations, equals=0)
