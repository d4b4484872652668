"""What can go wrong. No error quotes a key or a text."""


class SealedPushError(Exception):
    """What every error of this package is."""


class SealError(SealedPushError):
    """A message that cannot be sealed."""


class ContentError(SealError):
    """A payload that a device would not show, and the rule of FORMAT.md that it breaks."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


class KeyFileError(SealedPushError, ValueError):
    """Keys that are not what they should be."""


class Refused(SealedPushError):
    """Something signed that is refused: FORMAT.md's reason, and the rule that is broken.

    `inner` is the rule within that one, where a rule asks for others.
    """

    def __init__(self, reason: str, rule: str, inner: str | None = None) -> None:
        super().__init__(f"{reason} [{rule}]")
        self.reason, self.rule, self.inner = reason, rule, inner

    def __reduce__(self) -> tuple[type["Refused"], tuple[str, str, str | None]]:
        """For `pickle`, which would pass the message alone."""
        return Refused, (self.reason, self.rule, self.inner)


def need(condition: object, reason: str, rule: str) -> None:
    if not condition:
        raise Refused(reason, rule)
