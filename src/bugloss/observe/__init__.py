"""Training events in, symptoms and causes out.

What enters: a recording, the JSON lines that a probe wrote while a program trained. What leaves: symptoms that
detectors saw in it, and causes that the arbiter ranks. Nothing here touches a live model.
"""
