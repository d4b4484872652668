"""A case of differential.py: a question to the program, and the other implementation's result."""
from dataclasses import dataclass, field


class Difference(Exception):
    """A difference that no rule explains."""


@dataclass
class Answer:
    accepted: list | None = None     # bytes
    refused: str | None = None


@dataclass
class Case:
    kind: str
    bytes: dict                      # by the names that the program gives them
    wanted: list | None              # the other implementation's result; None if it refuses
    name: str | None = None          # an algorithm or a suite
    # Why ours must refuse a case that the other accepts: the rules' names, and the reasons that ours may give for each.
    stricter: dict = field(default_factory=dict)
    reasons: set | None = None       # that ours may give if both refuse; None if any reason is right
    also: callable = None            # checks an accepted answer further; may raise Difference

    def question(self):
        return {"kind": self.kind, "name": self.name, "bytes": {k: v.hex() for k, v in self.bytes.items()}}

    def outcome(self, answer):
        """The outcome's name; raises Difference."""
        if self.wanted is not None and not self.stricter:
            if answer.refused is not None:
                raise Difference(f"ours refuses what the other accepts: {answer.refused}")
            if answer.accepted != self.wanted:
                raise Difference(f"ours is not {[value.hex() for value in self.wanted]}")
            if self.also:
                self.also(answer.accepted)
            return "accepted by both"
        if answer.refused is None:
            raise Difference("ours accepts what " + (
                f"it must not: {', '.join(self.stricter)}" if self.stricter else "the other refuses"))
        reasons = set().union(*self.stricter.values()) if self.stricter else self.reasons
        if reasons is not None and answer.refused.split(" at byte")[0] not in reasons and answer.refused not in reasons:
            raise Difference(f"ours gives another reason than {sorted(reasons)}: {answer.refused}")
        return f"ours stricter: {next(iter(self.stricter))}" if self.stricter else "refused by both"


def altered(rng, raw):
    """The bytes with one bit changed, or with one byte more or less."""
    roll = rng.random()
    if not raw or roll < 0.1:
        return raw + rng.randbytes(1)
    if roll < 0.2:
        return raw[:-1]
    at = rng.randrange(len(raw))
    return raw[:at] + bytes([raw[at] ^ 1 << rng.randrange(8)]) + raw[at + 1:]


def some_bytes(rng, most):
    """Random bytes, at most `most`, often few."""
    return rng.randbytes(rng.choice((0, 1, rng.randrange(33), rng.randint(0, most))))
