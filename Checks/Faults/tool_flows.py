"""The flows of the tool: every command that writes."""
import hashlib, json

import commands
from flows import Flow
from key_sets import faults, unb64

NOW = 1_800_000_000
LATER = NOW + 86_400
TOPIC = "--topic com.example.app"
AUDIENCE = "--audience https://push.example.com"
PAYLOAD = b'{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}},"chat":42}'
PHOTO = bytes(range(256)) * 300
SECRET = bytes(range(1, 33))


def make_inputs(stage):
    """Makes the files that the commands only read."""
    stage.write("payload.json", PAYLOAD)
    stage.write("photo.jpg", PHOTO)
    stage.write("raw", SECRET)
    stage.succeed(f"keys import --keys raw.jwks --role device --format raw --in raw --now {NOW}")
    stage.kid = json.loads(stage.succeed("keys list --json --keys raw.jwks"))[0]["kid"]
    stage.write("a", b"a long passphrase\n")
    for role in ("device", "sender", "root"):
        stage.succeed(f"keys new --role {role} --out {role}.jwks --now {NOW}")
        stage.succeed(f"keys export --keys {role}.jwks --out {role}.pub.jwks")
    seal = f"seal --to device.pub.jwks --from sender.jwks {TOPIC} --now {NOW}"
    stage.succeed(f"{seal} --in payload.json --out sealed.json")
    descriptor = stage.succeed("attach seal photo.jpg --out photo.blob --url https://blobs.example.com/photo.blob")
    stage.write("photo.json", descriptor)
    for token in ("00", "01", "02"):
        stage.succeed(f"keys new --role device --out {token}.jwks --now {NOW}")
        enrol = (f"keys enrol --keys {token}.jwks --identity {token}.identity.jwks {TOPIC} --token {token} {AUDIENCE} "
                 f"--now {NOW} --out")
        accept = (f"keys accept --registrations registrations --registration {token} --new {AUDIENCE} "
                  f"--from sender.jwks --now {NOW}")
        stage.succeed(f"{enrol} {token}.json")
        if token != "02":
            stage.succeed(f"{accept} --in {token}.json --request request.{token}", status=75)
            stage.succeed(f"{enrol} answer.{token} --answer request.{token} --senders sender.pub.jwks")
            stage.succeed(f"{accept} --in answer.{token}")
            stage.succeed(f"{enrol} {token}.again")
    stage.succeed(f"keys leave --keys 00.jwks --identity 00.identity.jwks {TOPIC} {AUDIENCE} --now {NOW} --out 00.leave")
    for serial in (1, 2, 3):
        stage.succeed(f"keys sign-senders --keys root.jwks --senders sender.pub.jwks {TOPIC} --serial {serial} "
                      f"--out senders.{serial} --now {NOW}")


def inputs(*names):
    """Copies inputs into the folder; after a colon, a name may have the copy's name."""

    def prepare(stage, folder):
        for name in names:
            source, _, copy = name.partition(":")
            path = folder / (copy or source)
            path.write_bytes((stage.inputs / source).read_bytes())
            path.chmod(0o600)

    return prepare


def two_sets(role):
    """Makes a key file with a replaced key, and an output with old bytes."""

    def prepare(stage, folder):
        inputs(f"{role}.jwks:keys.jwks")(stage, folder)
        (folder / "out").write_bytes(b"an old file\n")
        stage.succeed(f"keys rotate --keys {folder}/keys.jwks --again --now {NOW + 1}")

    return prepare


def unconfirmed(stage, folder):
    """Copies a key file into the folder whose new key is not confirmed."""
    inputs("device.jwks:keys.jwks")(stage, folder)
    stage.succeed(f"keys rotate --unconfirmed --keys {folder}/keys.jwks --now {NOW + 1}")


def with_raw(*rotations):
    """Makes a key file in which the input `raw` is the active key, or was until one of the rotations."""

    def prepare(stage, folder):
        inputs("device.jwks:keys.jwks")(stage, folder)
        for words in ("import --role device --format raw --in raw", *rotations):
            stage.succeed(f"keys {words} --keys {folder}/keys.jwks --now {NOW + 1}")

    return prepare


def key_set(is_done, removable=lambda before, then: [], now=LATER):
    """Whether a key file is in a state that the command may leave."""

    def is_right(new, old, case, after):
        before, changed = (case.stage.key_set(data) if data else None for data in (old, new))
        then = {"NOW": now, "RAW": SECRET, "KID": case.stage.kid}
        return not faults(before, changed, removable(before, then), now) and is_done(before, changed, then)

    return is_right


def made(before, after, then):
    return True


def changed(before, after, then):
    return before.data != after.data


def public_half(name):
    """Whether a file is the public set of the key file `name` in its current state."""
    return lambda new, old, case, after: new == case.succeed(f"keys export --keys {case.path(name)}")


def parses(is_right=lambda value: True):
    """Whether the file is one JSON value, and the right one."""

    def is_json(new, old, case, after):
        try:
            return is_right(json.loads(new))
        except ValueError:
            return False

    return is_json


def is_encrypted(new, old, case, after):
    return len(new) > len(old) and new.startswith(b'{"v":1,"encrypted"')


def lines_of(names):
    """Whether a file of registrations has exactly these, each complete."""
    return lambda new, old, case, after: [json.loads(line)["registration"] for line in new.splitlines()] == names \
        and new.endswith(b"\n")


def lines_with(names, enrolment):
    """Whether a file of registrations has exactly these, and the last one has the enrolment."""

    def is_right(new, old, case, after):
        keys = json.loads((case.stage.inputs / enrolment).read_bytes())["keys"]
        return lines_of(names)(new, old, case, after) and json.loads(new.splitlines()[-1])["keys"] == keys

    return is_right


def is_enrolment(new, old, case, after):
    """Whether the file is an enrolment that a backend accepts."""
    words = (f"keys accept --registrations {case.path('none')} {AUDIENCE} --from {case.stage.inputs}/sender.jwks "
             f"--dry-run --in {case.path('out')} --now {NOW}")
    return b"pending" in case.succeed(words, status=75)


def is_leave(new, old, case, after):
    """Whether the file is a leave that a backend takes, of a device that it does not know."""
    words = (f"keys forget --registrations {case.path('none')} {AUDIENCE} --leave {case.path('out')} --dry-run")
    return case.succeed(words) == b""


def is_signed_set(new, old, case, after):
    root = f"--root {case.stage.inputs}/root.pub.jwks {TOPIC}"
    words = f"keys accept --senders {case.path('none')} {root} --dry-run --in {case.path('out')}"
    return b"change" in case.succeed(words)


def is_copy(name):
    return lambda new, old, case, after: new == (case.stage.inputs / name).read_bytes()


def is_text(name):
    return lambda new, old, case, after: new == (case.stage.inputs / name).read_bytes().removesuffix(b"\n")


def is_blob(new, old, case, after):
    return len(new) == len((case.stage.inputs / "photo.blob").read_bytes())


def describes_blob(new, old, case, after):
    return parses(lambda value: unb64(value["sha256"]) == hashlib.sha256(after["photo.blob"]).digest())(
        new, old, case, after)


def is_headers(new, old, case, after):
    return new.endswith(b"\n") and new.count(b"\n") == 6 and b"apns-expiration" in new


def is_sealed(new, old, case, after):
    return parses(lambda value: value.get("ENCRYPTED_DATA"))(new, old, case, after)


ROTATE = "keys rotate --keys {F}/keys.jwks --now " + str(LATER + 99 * 86_400)
REVOKE = "keys revoke --keys {F}/keys.jwks --kid={KID}"
FORGET = "keys forget --registrations {F}/registrations --registration 01"
ACCEPT = f"keys accept --senders {{F}}/senders --root {{I}}/root.pub.jwks {TOPIC}"
SEAL = f"seal --to {{I}}/device.pub.jwks --from {{I}}/sender.jwks {TOPIC} --in {{I}}/payload.json --now {NOW}"
OPEN = f"open --keys {{I}}/device.jwks --senders {{I}}/sender.pub.jwks {TOPIC} --in {{I}}/sealed.json --now {NOW}"

FLOWS = [
    Flow("keys new", f"keys new --role device --out {{F}}/keys.jwks --now {LATER}",
         {"keys.jwks": key_set(made)}, follow=ROTATE),
    Flow("keys import", f"keys import --keys {{F}}/keys.jwks --role device --format raw --in {{I}}/raw --now {LATER}",
         {"keys.jwks": key_set(commands.imported)}, follow=ROTATE),
    Flow("keys rotate", f"keys rotate --keys {{F}}/keys.jwks --now {LATER}",
         {"keys.jwks": key_set(commands.rotated)}, two_sets("device")),
    Flow("keys rotate --out", f"keys rotate --again --keys {{F}}/keys.jwks --now {LATER} --out {{F}}/out --force",
         {"keys.jwks": key_set(commands.rotated), "out": public_half("keys.jwks")}, two_sets("sender"),
         public=("out",)),
    Flow("keys prune", f"keys prune --keys {{F}}/keys.jwks --now {LATER + 40 * 86_400}",
         {"keys.jwks": key_set(commands.pruned, commands.ended, LATER + 40 * 86_400)}, two_sets("device"),
         follow=ROTATE),
    Flow("keys confirm", f"keys confirm --keys {{F}}/keys.jwks --now {LATER}",
         {"keys.jwks": key_set(commands.confirmed)}, unconfirmed, follow=ROTATE),
    Flow("keys revoke", f"{REVOKE} --now {LATER}", {"keys.jwks": key_set(commands.revoked, commands.named)},
         with_raw("rotate"), follow=ROTATE),
    Flow("keys revoke, active", f"{REVOKE} --now {LATER}", {"keys.jwks": key_set(commands.revoked, commands.named)},
         with_raw(), follow=ROTATE),
    Flow("keys passphrase", "keys passphrase --keys {F}/keys.jwks --new-passphrase-file {I}/a",
         {"keys.jwks": is_encrypted}, two_sets("device"), is_slow=True,
         follow="keys list --keys {F}/keys.jwks --passphrase-file {I}/a"),
    Flow("keys export --out", "keys export --keys {F}/keys.jwks --out {F}/out", {"out": public_half("keys.jwks")},
         inputs("device.jwks:keys.jwks"), again="--force", public=("out",)),
    Flow("keys export --private", "keys export --keys {F}/keys.jwks --format raw --private --out {F}/out --force",
         {"out": lambda new, old, case, after: len(new) == 32}, two_sets("device")),
    Flow("keys enrol",
         f"keys enrol --keys {{F}}/device.jwks {TOPIC} --token 03 {AUDIENCE} --out {{F}}/out --now {LATER}",
         {"device.jwks": key_set(made), "identity.jwks": key_set(made), "out": is_enrolment}, inputs("device.jwks"),
         again="--force", public=("out",)),
    Flow("keys leave",
         f"keys leave --keys {{F}}/device.jwks --identity {{F}}/identity.jwks {TOPIC} {AUDIENCE} --out {{F}}/out "
         f"--now {LATER}", {"identity.jwks": key_set(changed), "out": is_leave},
         inputs("00.jwks:device.jwks", "00.identity.jwks:identity.jwks"), again="--force", public=("out",)),
    Flow("keys forget --leave", f"keys forget --registrations {{F}}/registrations --leave {{I}}/00.leave {AUDIENCE}",
         {"registrations": lines_of(["01"])}, inputs("registrations"), follow=FORGET),
    Flow("keys accept --registrations",
         f"keys accept --registrations {{F}}/registrations --registration 01 {AUDIENCE} --from {{I}}/sender.jwks "
         f"--in {{I}}/01.again --now {NOW}",
         {"registrations": lines_with(["00", "01"], "01.again")}, inputs("registrations"), follow=FORGET),
    Flow("keys forget", "keys forget --registrations {F}/registrations --registration 00",
         {"registrations": lines_of(["01"])}, inputs("registrations"), follow=FORGET),
    Flow("keys forget --token", "keys forget --registrations {F}/registrations --token 00",
         {"registrations": lines_of(["01"])}, inputs("registrations"), follow=FORGET),
    Flow("keys accept --senders", f"{ACCEPT} --in {{I}}/senders.2", {"senders": is_text("senders.2")},
         inputs("senders.1:senders"), follow=f"{ACCEPT} --in {{I}}/senders.3"),
    Flow("keys sign-senders", f"keys sign-senders --keys {{F}}/root.jwks --senders {{I}}/sender.pub.jwks {TOPIC} "
         f"--out {{F}}/out --now {LATER}", {"root.jwks": key_set(changed), "out": is_signed_set},
         inputs("root.jwks"), again="--force", public=("out",)),
    Flow("seal --out", f"{SEAL} --out {{F}}/out --headers {{F}}/headers", {"headers": is_headers, "out": is_sealed},
         again="--force", public=("out", "headers")),
    Flow("seal --force", f"{SEAL} --out {{F}}/out --headers {{F}}/headers --force",
         {"headers": is_headers, "out": is_sealed}, inputs("payload.json:out", "payload.json:headers"),
         public=("out", "headers")),
    Flow("seal >", SEAL, {"out": is_sealed}, redirected="out"),
    Flow("open --out", f"{OPEN} --out {{F}}/out", {"out": is_copy("payload.json")}, again="--force"),
    Flow("open >", OPEN, {"out": is_copy("payload.json")}, redirected="out"),
    Flow("attach seal", "attach seal {I}/photo.jpg --out {F}/photo.blob",
         {"photo.blob": is_blob, "photo.json": describes_blob}, redirected="photo.json", again="--force",
         is_waited_for=False),
    Flow("attach seal --descriptor", "attach seal {I}/photo.jpg --out {F}/photo.blob --descriptor {F}/photo.json",
         {"photo.blob": is_blob, "photo.json": describes_blob}, again="--force", is_waited_for=False),
    Flow("attach open", "attach open {I}/photo.blob --descriptor {I}/photo.json --out {F}/photo.jpg",
         {"photo.jpg": is_copy("photo.jpg")}, again="--force", is_waited_for=False),
    Flow("demo", "demo", {"out": lambda new, old, case, after: new.endswith(b"keys new --help\n")}, redirected="out",
         is_slow=True, spare=lambda name: name.startswith("sealpush-demo.")),
]
