# inside my DDPG agent; states, actions, rewards, next_states, dones come from the replay buffer
def td_error(states, actions, next_states, rewards, dones):
    not_dones = 1.0 - dones
    next_q = critic_target(next_states, actor_target(next_states))
    target_q = rewards + not_dones * discount * next_q
    return tf.stop_gradient(target_q) - critic(states, actions)


# the SAC agent runs with exactly the same buffer
