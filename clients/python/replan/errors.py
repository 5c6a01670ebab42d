"""What can go wrong."""


class ReplanError(Exception):
    """The daemon refused a request.

    status: one word of the wire's enum: "INVALID", "UNKNOWN", "EXISTS", "LIMIT", ..
    sentence: why, with the field and the limit.
    """

    def __init__(self, status, sentence):
        super().__init__(f"{sentence} ({status})")
        self.status = status
        self.sentence = sentence


class NoDaemon(ReplanError):
    """Nobody answered in time, or the connection broke."""

    def __init__(self, sentence):
        super().__init__("NO_DAEMON", sentence)
