"""Reports at first sight: a ``Reading`` enters, a ``Triage`` leaves.

``judgement.triage`` joins the parts: the classifier (``features``, ``classifier``), the five kinds of information, the
score, the questions, and the edit actions whose confidence is mined from reproduced bugs (``associations``).
"""
