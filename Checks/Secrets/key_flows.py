"""Commands on keys, as they succeed and as they fail."""
import json

from flow import AT, LATER, flow, misplaced
from stage import BACKEND, NOW, TOPIC

LOCKED, PASS, NEW = "--keys locked.jwks", "--passphrase-file pass", "--role device --out new.jwks"
READ = f"--senders sender.pub.jwks --topic {TOPIC} {AT}"


def key_files():
    """Key files: made, changed, read, and invalid."""
    for role in ("device", "sender", "shared", "identity", "root"):
        yield flow(f"keys new --role {role} --out new.jwks", makes="work/new.jwks")
    yield flow(f"keys new {NEW} --suite p256-aesgcm", makes="work/new.jwks")
    yield flow("keys new --role device --out device.jwks", 73)
    yield flow("keys new --role device --out nowhere/new.jwks", 73)
    yield flow("keys new --role device --out -", 64)
    for name in ("device", "sender", "shared", "root", "rotated"):
        yield flow(f"keys list --keys {name}.jwks")
        yield flow(f"keys list --keys {name}.jwks --json")
        yield flow(f"keys doctor --keys {name}.jwks {AT}", None)
        yield flow(f"keys prune --keys {name}.jwks {LATER}")
    yield flow(f"keys doctor --keys device.jwks --public device.pub.jwks --json {AT}")
    yield flow(f"keys doctor --keys sender.jwks --senders senders.jws --root root.pub.jwks --topic {TOPIC} {AT}", None)
    yield flow(f"keys doctor --keys device.jwks --public other.jwks {AT}", 65)
    for name in ("device", "sender", "shared"):
        yield flow(f"keys rotate --keys {name}.jwks {LATER}")
        yield flow(f"keys rotate --keys {name}.jwks --dry-run {LATER}")
        yield flow(f"keys rotate --keys {name}.jwks --grace 1d {LATER}", 64)
    yield flow(f"keys rotate --keys device.jwks --out device.pub.jwks --force {LATER}")
    yield flow(f"keys rotate --keys device.jwks --out shared.jwks --force {LATER}", 73)
    yield flow(f"keys rotate --keys shared.jwks --unconfirmed {LATER}")
    yield flow(f"keys rotate --keys sender.jwks {AT}", 75)
    yield flow(f"keys confirm --keys shared.jwks {LATER}", None)
    for name in ("torn", "half", "twice", "odd", "bent", "later", "escaped", "swapped", "list", "behind", "open",
                 "link", "nowhere"):
        yield flow(f"keys list --keys {name}.jwks", None)
        yield flow(f"keys doctor --keys {name}.jwks --json", None)
    # A private key in place of public data.
    for name in ("named", "kid", "x", "use"):
        yield misplaced(f"keys list --keys {name}.jwks", 65)
        yield misplaced(f"keys doctor --keys {name}.jwks --json", None)
    for name in ("torn", "bent", "twice", "swapped", "open"):
        yield flow(f"keys rotate --keys {name}.jwks {LATER}", None)
        yield flow(f"seal --to {name}.jwks --anonymous --topic {TOPIC} --in payload.json", None)
        yield flow(f"seal --to device.pub.jwks --from {name}.jwks --topic {TOPIC} --in payload.json", None)
        yield flow(f"open --keys {name}.jwks {READ} --in x25519.json", None)


def row_keys():
    """A store's row key: made, used, changed, wrong, and in place of others."""
    # A store makes its file, and SQLite shares the file of its log's index (-shm), which is searched as memory is.
    daemon = {"program": "sealpushd", "calls": ("mknod", "mknodat", "mmap")}
    yield flow("store key --out new.key", makes="work/new.key", **daemon)
    yield flow("store key --out row.key", 73, **daemon)
    yield flow("store key --out nowhere/new.key", 73, **daemon)
    yield flow("store key --out -", 64, **daemon)
    for command in ("devices", "devices export", "store check", "store seal"):
        yield flow(f"{command} --store push.sqlite --row-key row.key", **daemon)
        yield flow(f"{command} --store push.sqlite --row-key torn.key", 65, **daemon)
        yield flow(f"{command} --store push.sqlite --row-key other.key", 77, **daemon)
        yield flow(f"{command} --store push.sqlite --row-key device.jwks", 65, **daemon)
    yield flow("devices import registrations --store push.sqlite --row-key row.key", **daemon)
    yield flow("store seal --store push.sqlite --row-key other.key --old-row-key row.key", **daemon)
    yield flow("devices --store push.sqlite", 77, **daemon)


def exports_and_imports(stage):
    """Keys of other programs: valid, invalid, and in place of others."""
    for name in ("device", "p256", "sender"):
        file, suite = "sender" if name == "sender" else "device", "--suite p256-aesgcm" if name == "p256" else ""
        kid = stage.read(f"{name}.kid").decode()
        take = f"keys import --keys new.jwks --role {file} {suite} {AT}"
        for format in ("jwk", "pem", "raw"):
            give = f"keys export --keys {file}.jwks --kid={kid} --format {format}"
            yield flow(f"{give} --private --out out", makes="work/out")
            yield flow(f"{give} --private --out nowhere/out", 73)
            yield flow(f"{give} --private --out -", 64)
            yield flow(give)
            yield flow(f"{take} --format {format} --in {name}.{format}", makes="work/new.jwks")
            yield flow(f"{take} --format {format} --in -", stdin=f"{name}.{format}", makes="work/new.jwks")
            yield flow(f"{take} --format {format} --in {name}.{format} --dry-run")
            yield flow(f"keys import --keys {file}.jwks --role {file} {suite} {LATER} --format {format} "
                       f"--in {name}.{format}", None)
        for fault in ("torn.pem", "bent.pem", "twice.pem", "locked.pem", "short.jwk", "long.jwk", "number.jwk",
                      "short.raw", "long.raw"):
            yield flow(f"{take} --format {fault[-3:]} --in {name}.{fault}", 65)
        yield flow(f"{take} --format pem --in {name}.noted.pem", makes="work/new.jwks")
        yield flow(f"{take} --format jwk --in {name}.more.jwk", makes="work/new.jwks")
        yield flow(f"{take} --format jwk --in {file}.jwks", 65)
        yield flow(f"{take} --format pem --in {name}.raw", 65)
        yield flow(f"{take} --format raw --in {name}.pem", 65)
    yield flow(f"keys import --keys new.jwks --role device --suite p256-aesgcm --format pem --in p256.sec1.pem", 65)
    yield flow(f"keys import --keys new.jwks --role sender --format pem --in device.pem", 65)
    yield flow("keys export --keys shared.jwks --format raw --private --out out", 65)
    for name in ("device", "sender", "root"):
        yield flow(f"keys export --keys {name}.jwks")
    yield flow("keys export --keys sender.jwks --out shared.jwks --force", 73)
    yield flow("keys export --keys sender.jwks --merge --out sender.pub.jwks --force")
    for name in ("device", "sender", "shared"):
        keys = json.loads(stage.read(f"{name}.jwks"))["keys"]
        yield flow(f"keys revoke --keys {name}.jwks --kid={keys[0]['kid']} {AT}")
        yield flow(f"keys revoke --keys {name}.jwks --kid={keys[0]['kid']} --dry-run {AT}")


def passphrases():
    """An encrypted key file, with passphrases from files, descriptors and a terminal."""
    for line in ("keys list", f"keys rotate {LATER}", "keys export", f"keys doctor {AT}",
                 f"open {READ} --in x25519.json"):
        yield flow(f"{line} {LOCKED} {PASS}", shows=line.startswith("open"))
    yield flow(f"keys list {LOCKED} --passphrase-fd 3", descriptors=("pass",))
    yield flow(f"keys list {LOCKED} --passphrase-fd 0", stdin="pass")
    yield flow(f"keys list {LOCKED} --passphrase-fd 9", 66)
    yield flow("keys list --keys-fd 3", descriptors=("device.jwks",))
    yield flow("keys export --keys -", stdin="sender.jwks")
    yield flow("keys list --keys-fd 3 --passphrase-fd 4", descriptors=("locked.jwks", "pass"))
    yield flow("keys list --keys-fd 3 --passphrase-file wrong", 77, descriptors=("locked.jwks",))
    yield flow("keys list --keys-fd 3", 65, descriptors=("torn.jwks",))
    yield flow(f"keys list {LOCKED}", answers=("pass",))
    yield flow(f"keys list {LOCKED}", 77, answers=("wrong",))
    yield flow(f"keys list {LOCKED}", None)
    for name in ("wrong", "open.pass", "long.pass", "nowhere"):
        yield flow(f"keys list {LOCKED} --passphrase-file {name}", None)
    for name in ("damaged", "altered", "dear", "device"):
        yield flow(f"keys list --keys {name}.jwks {PASS}", 65)
    yield flow(f"keys new {NEW} {PASS}", makes="work/new.jwks")
    yield flow(f"keys new {NEW} --passphrase", answers=("new", "new"))
    yield flow(f"keys new {NEW} --passphrase", 1, answers=("new", "wrong"))
    yield flow(f"keys new {NEW} --passphrase", 77)
    yield flow(f"keys passphrase {LOCKED} {PASS} --new-passphrase-file new")
    yield flow(f"keys passphrase {LOCKED} {PASS} --new-passphrase-fd 3", descriptors=("new",))
    yield flow(f"keys passphrase {LOCKED} {PASS} --remove", makes="work/locked.jwks")
    yield flow(f"keys passphrase {LOCKED} --passphrase-file wrong --new-passphrase-file new", 77)
    yield flow("keys passphrase --keys device.jwks", answers=("new", "new"))
    yield flow(f"keys import {LOCKED} {PASS} --role device --format pem --in device.pem {LATER}", None)


def continuity():
    """Identities and roots, and the sets that they sign."""
    enrol = f"keys enrol --keys phone/device.jwks --topic {TOPIC} --token 00ff --audience {BACKEND} {AT}"
    accept = f"keys accept --registrations registrations --audience {BACKEND} --from sender.jwks {AT} --registration"
    answer = f"{enrol} --answer request.json --senders"
    yield flow(enrol)
    yield flow(f"{enrol} --dry-run")
    yield flow(f"{enrol} --senders senders.jws --root root.pub.jwks")
    yield misplaced(f"{enrol} --counts device.jwks", None)
    yield flow(f"{enrol} --identity phone/new.jwks", makes="work/phone/new.jwks")
    yield flow(f"{enrol} --identity phone/device.jwks", None)
    leave = f"keys leave --keys phone/device.jwks --topic {TOPIC} --audience {BACKEND} {AT}"
    yield flow(leave)
    yield flow(f"{leave} --dry-run")
    yield flow(f"{leave} --identity phone/device.jwks", 65)
    yield flow(f"{accept} ada --in enrolment.json")
    yield flow(f"{accept} eve --in enrolment.json", 65)
    yield flow(f"{accept} new --new --key-alone --in enrolment.json", 65)
    yield flow(f"{answer} sender.pub.jwks")
    yield flow(f"{answer} sender.pub.jwks --identity phone/new.jwks", 65)
    yield misplaced(f"{answer} sender.jwks", 65)
    yield misplaced(f"{enrol} --answer device.jwks --senders sender.pub.jwks", 65)
    yield misplaced(f"{accept} ada --in device.jwks", 65)
    yield flow("keys forget --registrations registrations --registration ada")
    yield flow(f"keys forget --registrations registrations --token 00ff --unregistered-at {NOW}000")
    yield flow(f"keys forget --registrations registrations --token 00ff --unregistered-at {NOW + 1}000")
    yield flow("keys forget --registrations registrations --token 00fe", 66)
    yield misplaced("keys forget --registrations device.jwks --token 00ff", 66)
    yield misplaced(f"keys forget --registrations registrations --leave device.jwks --audience {BACKEND}", 65)
    yield flow(f"keys confirm --keys phone/device.jwks --enrolment enrolment.json {AT}", None)
    yield misplaced(f"keys confirm --keys phone/device.jwks --enrolment device.jwks {AT}", 65)
    sign = f"keys sign-senders --keys root.jwks --topic {TOPIC} --senders"
    yield flow(f"{sign} sender.pub.jwks")
    yield flow(f"{sign} sender.pub.jwks --dry-run")
    yield flow(f"{sign} sender.jwks", 65)
    yield flow(f"keys sign-senders --keys device.jwks --topic {TOPIC} --senders sender.pub.jwks", 65)
    yield flow(f"keys accept --senders phone/senders --root root.pub.jwks --topic {TOPIC} --in senders.jws")
    yield misplaced(f"keys accept --senders phone/senders --root root.pub.jwks --topic {TOPIC} --in root.jwks", 65)
