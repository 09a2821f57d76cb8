"""One module per verb of the command line: ``configure(parser)`` and ``run(arguments) -> exit status``.

Modules import what they need inside ``run``, so that a verb pays only for itself.
"""
