"""`python -m sealedpush`: seals one payload. The options are some of those of `sealpush seal`."""
import argparse
import os
import re
import stat
import sys
from pathlib import Path
from typing import NoReturn

from . import PublicKeySet, SealedPushError, Sealer, SigningKey, read_registrations
from .encoding import compact
from .hpke import SUITES
from .sealer import FCM_TYPES, LONGEST_FCM, LONGEST_LIFE, PADDINGS, PUSH_TYPES, Addressed

USAGE, BAD_DATA, NO_INPUT, CANNOT_CREATE, NOT_PERMITTED = 64, 65, 66, 73, 77
FCM_PRIORITIES = {10: "HIGH", 5: "NORMAL", 1: "NORMAL"}
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        fail(USAGE, message)


def fail(status: int, message: str) -> NoReturn:
    print(f"sealedpush: {message}", file=sys.stderr)
    sys.exit(status)


def seconds(text: str) -> int:
    """A time such as 90, 12h or 30d."""
    found = re.fullmatch(r"([0-9]{1,9})([smhd]?)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no time; it is seconds, or a number with m, h or d, such as 30d")
    return int(found[1]) * UNITS[found[2]]


def options() -> Parser:
    """Nothing is required here: argparse would ask for that before it names an option that it does not know."""
    parser = Parser("python -m sealedpush", allow_abbrev=False,
                    description="Seals an APNs payload from standard input to a device.")
    to = parser.add_mutually_exclusive_group()
    to.add_argument("--to", metavar="FILE", help="the device's public JWK Set")
    to.add_argument("--registrations", metavar="FILE", help="what keys accept keeps")
    parser.add_argument("--registration", metavar="NAME", help="the device's registration")
    account = parser.add_mutually_exclusive_group()
    account.add_argument("--person", metavar="NAME", help="which of the registration's persons the message is for")
    account.add_argument("--account", metavar="TAG", help="the account on the device that the message is for")
    sender = parser.add_mutually_exclusive_group()
    sender.add_argument("--from", dest="sender", metavar="FILE", help="the sender's private key file, to sign with")
    sender.add_argument("--anonymous", action="store_true",
                        help="do not sign; devices show such messages only if the app accepts them")
    parser.add_argument("--topic", metavar="ID", help="the app's bundle ID")
    parser.add_argument("--in", dest="input", metavar="FILE", help="the payload; default: standard input")
    parser.add_argument("--out", metavar="FILE", help="the sealed payload; default: standard output")
    parser.add_argument("--headers", metavar="FILE", help="where to write the APNs headers, as curl -H @FILE expects")
    parser.add_argument("--message-id", metavar="UUID", help="the message's identity; reuse it when you retry a job")
    parser.add_argument("--issued-at", metavar="SECONDS", type=int, help="when it was first issued; reuse it, too")
    parser.add_argument("--lifetime", metavar="TIME", type=seconds,
                        help="how long it is valid: seconds, or such as 12h or 30d; default: 30d, and 28d with fcm")
    parser.add_argument("--push-type", choices=[*PUSH_TYPES, *FCM_TYPES], default="alert",
                        help="with fcm or fcm-data, the output is the body of a request to FCM, but for the token")
    parser.add_argument("--priority", metavar="N", type=int)
    parser.add_argument("--title", metavar="TEXT", default="New notification", help="the visible title")
    parser.add_argument("--body", metavar="TEXT", default="(Encrypted)", help="the visible body")
    parser.add_argument("--padding", choices=PADDINGS, default="buckets")
    parser.add_argument("--suite", choices=list(SUITES))
    parser.add_argument("--now", metavar="SECONDS", type=int, help="the time to act at; default: now")
    return parser


def read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        fail(NO_INPUT, f"{path}: {error.strerror}")


def read_private(path: str) -> bytes:
    """A file that others cannot read, nor the group, unless it is mounted so: this user cannot write it."""
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            mode = stat.S_IMODE(status.st_mode)
            if os.name == "posix":
                is_own = mode & 0o200 and status.st_uid == os.geteuid()
                if mode & 0o037 or mode & 0o040 and is_own:
                    fail(NOT_PERMITTED, f"others can read or change {path}, mode 0{mode:o}: chmod 600 {path}")
            return file.read()
    except OSError as error:
        fail(NO_INPUT, f"{path}: {error.strerror}")


def create(files: dict[str, bytes]) -> None:
    """Writes new files; none is replaced, and none is left if another cannot be written."""
    made: list[str] = []
    for path, content in files.items():
        try:
            with open(path, "xb") as file:
                made.append(path)
                file.write(content)
        except OSError as error:
            for each in made:
                os.unlink(each)
            fail(CANNOT_CREATE, f"{path}: {error.strerror}")


def device(arguments: argparse.Namespace) -> Addressed:
    if arguments.to is not None:
        return PublicKeySet.parse(read(arguments.to))
    registrations = read_registrations(read(arguments.registrations), services=("apns", "fcm"))
    if arguments.registration not in registrations:
        fail(BAD_DATA, f"{arguments.registrations} has no registration of this name")
    found = registrations[arguments.registration]
    return found if arguments.person is None else found.of(arguments.person)


def sealed(sealer: Sealer, payload: bytes, to: Addressed, arguments: argparse.Namespace) -> tuple[bytes, bytes]:
    """What is sent, and the headers."""
    if arguments.push_type in FCM_TYPES:
        message = sealer.seal_fcm(
            payload, to, push_type=arguments.push_type, message_id=arguments.message_id, issued_at=arguments.issued_at,
            lifetime=LONGEST_FCM if arguments.lifetime is None else arguments.lifetime,
            priority=FCM_PRIORITIES.get(arguments.priority, arguments.priority), padding=arguments.padding,
            suite=arguments.suite, account=arguments.account, now=arguments.now)
        return compact({"message": {"android": message.android, "data": message.data}}).encode(), b""
    push = sealer.seal(
        payload, to, push_type=arguments.push_type, title=arguments.title, body=arguments.body,
        message_id=arguments.message_id, issued_at=arguments.issued_at,
        lifetime=LONGEST_LIFE if arguments.lifetime is None else arguments.lifetime, priority=arguments.priority,
        padding=arguments.padding, suite=arguments.suite, account=arguments.account, now=arguments.now)
    return push.payload, "".join(f"{name}: {value}\n" for name, value in push.headers.items()).encode()


def main() -> None:
    parser = options()
    arguments = parser.parse_args()
    if arguments.to is None and arguments.registrations is None:
        parser.error("--to or --registrations is required")
    if arguments.sender is None and not arguments.anonymous:
        parser.error("--from or --anonymous is required")
    if arguments.topic is None:
        parser.error("--topic is required")
    if (arguments.registration is None) != (arguments.registrations is None):
        parser.error("--registrations and --registration go together")
    if arguments.headers is not None and arguments.push_type in FCM_TYPES:
        parser.error("--headers: a message of FCM has no headers")
    if arguments.person is not None and arguments.registration is None:
        parser.error("--person and --registration go together")
    try:
        sealer = (Sealer.anonymous(arguments.topic) if arguments.anonymous
                  else Sealer(arguments.topic, SigningKey.parse(read_private(arguments.sender))))
        payload = sys.stdin.buffer.read() if arguments.input is None else read(arguments.input)
        output, headers = sealed(sealer, payload, device(arguments), arguments)
    except SealedPushError as error:
        fail(BAD_DATA, str(error))
    outputs = ((arguments.headers, headers), (arguments.out, output))
    create({path: content for path, content in outputs if path is not None})
    if arguments.out is None:
        sys.stdout.buffer.write(output)


if __name__ == "__main__":
    main()
