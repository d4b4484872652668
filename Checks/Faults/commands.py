"""The commands that change key files, and what each may do to them.

A new command needs a line in the table, and, if it changes a key file in a new way, a function that tells whether it did.
"""
import dataclasses, typing

from key_sets import b64, unb64

ALL, PAIRS, OPENING = ("device", "sender", "shared"), ("device", "sender"), ("device", "shared")


# Whether a change was made completely. `then` has the command's arguments.
def rotated(before, after, then):
    return all(after.keys[kid]["status"] == "accepted" for kid in before.with_status("active"))


def confirmed(before, after, then):
    return all(after.keys[kid].get("exp") for kid in after.with_status("accepted"))


def revoked(before, after, then):
    return then["KID"] not in after.keys


def pruned(before, after, then):
    return all(end >= then["NOW"] for end in after.ends())


def imported(before, after, then):
    return any(after.secrets[kid] == b64(then["RAW"]) for kid in after.with_status("active"))


def made(before, after, then):
    return True


def encrypted_anew(before, after, then):
    return after.opener == then["NEW"]


# Keys that a command may destroy.
def none(before, then):
    return []


def named(before, then):
    return [then["KID"]]


def ended(before, then):
    return [kid for kid in before.with_status("accepted") if (before.keys[kid].get("exp") or then["NOW"]) < then["NOW"]]


# The output of a command besides the key file.
def public_set(stage, after, then):
    return stage.succeed(f"keys export --keys {then['KEYS']}").stdout


def private_key(stage, after, then):
    return unb64(after.secrets[then["KID"]])


@dataclasses.dataclass(frozen=True)
class Command:
    """A command that changes a key file (KEYS), or writes another one (OUT)."""
    name: str
    share: int
    words: str
    is_done: typing.Callable | None  # None: it does not change the key file
    removable: typing.Callable = none
    kid: str | None = None  # the status of the key that the command names
    output: typing.Callable | None = None
    first: str | None = None  # the command that runs before
    roles: tuple = ALL
    keys: str = "keys.jwks"
    makes_the_file: bool = False


COMMANDS = [
    Command("rotate", 20, "rotate --keys {KEYS} --again --now {NOW}", rotated),
    Command("rotate --if-older-than", 10, "rotate --keys {KEYS} --again --if-older-than 0s --now {NOW}", rotated),
    Command("rotate --out", 10, "rotate --keys {KEYS} --again --now {NOW} --out {OUT} --force", rotated, output=public_set,
            roles=PAIRS),
    Command("rotate --unconfirmed", 10, "rotate --keys {KEYS} --unconfirmed --now {NOW}", rotated, roles=OPENING),
    Command("confirm", 8, "confirm --keys {KEYS} --now {NOW}", confirmed,
            first="rotate --keys {KEYS} --unconfirmed --now {NOW}", roles=OPENING),
    Command("revoke (accepted)", 10, "revoke --keys {KEYS} --kid={KID} --now {NOW}", revoked, named, "accepted"),
    Command("revoke (active)", 10, "revoke --keys {KEYS} --kid={KID} --now {NOW}", revoked, named, "active"),
    Command("revoke (next)", 6, "revoke --keys {KEYS} --kid={KID} --now {NOW}", revoked, named, "next", roles=("sender",)),
    Command("prune", 12, "prune --keys {KEYS} --now {NOW}", pruned, ended, "accepted"),
    Command("import", 10, "import --keys {KEYS} --role {ROLE} --format raw --in {IN} --now {NOW}", imported,
            roles=PAIRS),
    Command("import (new file)", 4, "import --keys {KEYS} --role {ROLE} --format raw --in {IN} --now {NOW}", imported,
            roles=PAIRS, keys="new.jwks", makes_the_file=True),
    Command("new", 8, "new --role {ROLE} --out {KEYS} --now {NOW}", made, keys="new.jwks", makes_the_file=True),
    Command("export --out", 8, "export --keys {KEYS} --out {OUT} --force", None, output=public_set, roles=PAIRS),
    Command("export --private", 6, "export --keys {KEYS} --kid={KID} --format raw --private --out {OUT} --force", None,
            kid="active", output=private_key, roles=PAIRS),
    Command("passphrase", 2, "passphrase --keys {KEYS} {OPEN} --new-passphrase-file {NEW}", encrypted_anew,
            roles=("device",), keys="encrypted.jwks"),
]
