"""How Keras programs of every era are observed; ``probe`` is the way in."""
