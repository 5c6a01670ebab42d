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


def made(kind, **fields):
    """A message of this kind. Of a value that its field cannot hold, protobuf tells no field: we do."""
    try:
        return kind(**fields)
    except (TypeError, ValueError):
        for name, value in fields.items():
            try:
                kind(**{name: value})
            except (TypeError, ValueError) as error:
                raise type(error)(f"{kind.__name__}.{name} = {value!r}: {error}") from None
        raise
