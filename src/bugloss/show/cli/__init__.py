"""The command line: one module per verb in ``verbs/``, loaded when the verb is called."""
