"""Commands on messages with keys, as they succeed and as they fail."""
from flow import AT, LATER, Flow, flow, misplaced
from stage import TOPIC

READ = f"--senders sender.pub.jwks --topic {TOPIC} {AT}"
SEAL = f"seal --to device.pub.jwks --from sender.jwks --topic {TOPIC} {AT}"


def messages():
    """Messages: sealed, opened, shown and inspected."""
    for to in ("device.pub.jwks", "device.pub.jwks --suite p256-aesgcm", "shared.jwks"):
        yield flow(f"seal --to {to} --from sender.jwks --topic {TOPIC} --in payload.json --headers headers")
        yield flow(f"seal --to {to} --anonymous --topic {TOPIC} --in - --out sealed", stdin="payload.json")
    for end in ("half.json", "nowhere", "payload.json --out nowhere/sealed", "payload.json --out device.jwks",
                "payload.json --lifetime 99d"):
        yield flow(f"{SEAL} --in {end}", None)
    yield misplaced(f"{SEAL} --in payload.json --attach device.jwks", None)
    yield flow(f"{SEAL} --in payload.json --attach photo.json")
    yield flow(f"seal --to device.jwks --from sender.jwks --topic {TOPIC} --in payload.json", 65)
    yield flow(f"seal --to device.pub.jwks --from device.jwks --topic {TOPIC} --in payload.json", 65)
    yield flow(f"seal --to sender.jwks --anonymous --topic {TOPIC} --in payload.json", 65)
    yield misplaced(f"{SEAL} --in device.jwks", 65)
    yield misplaced(f"{SEAL} --in device.pem", 65)
    lines = f"seal --lines --from sender.jwks --topic {TOPIC} --to device.pub.jwks"
    for jobs in ("jobs", "half"):
        yield flow(f"{lines} --in {jobs}.jsonl --errors errors", None)
        yield flow(f"{lines} --in -", None, stdin=f"{jobs}.jsonl")
        yield flow(f"seal --lines --from sender.jwks --topic {TOPIC} --to shared.jwks --in {jobs}.jsonl", None)
    yield flow(f"seal --lines --from device.jwks --topic {TOPIC} --to device.pub.jwks --in jobs.jsonl", 65)
    yield flow(f"seal --lines --from sender.jwks --topic {TOPIC} --recipients registrations --in half.jsonl", 65)
    yield misplaced(f"seal --lines --from sender.jwks --topic {TOPIC} --recipients device.jwks --in jobs.jsonl", 65)
    yield misplaced(f"{lines} --in key.jsonl", 65)
    for name in ("x25519", "p256", "shared"):
        keys = f"--keys {'shared' if name == 'shared' else 'device'}.jwks"
        yield flow(f"open {keys} {READ} --in {name}.json", shows=True)
        yield flow(f"open {keys} {READ} --in -", stdin=f"{name}.json", shows=True)
        yield flow(f"open {keys} {READ} --in {name}.json --out opened", makes="work/opened")
        yield flow(f"simulate {keys} {READ} --in {name}.json", shows=True)
        yield flow(f"simulate {keys} {READ} --in {name}.json --json", shows=True)
        yield flow(f"simulate {keys} {READ} --in {name}.json --deadline 0", None)
        yield flow(f"inspect {keys} --topic {TOPIC} --in {name}.json")
        yield flow(f"inspect --in {name}.json")
        yield flow(f"open {keys} {READ} --in {name}.bent.json", 65)
        yield flow(f"simulate {keys} {READ} --in {name}.bent.json")
        yield flow(f"inspect {keys} --topic {TOPIC} --in {name}.bent.json", None)
        yield flow(f"open {keys} --senders sender.pub.jwks --topic com.example.other {AT} --in {name}.json", 65)
        yield flow(f"open {keys} --senders sender.pub.jwks --topic {TOPIC} {LATER} --in {name}.json", 65)
        yield flow(f"open {keys} --senders other.jwks --topic {TOPIC} {AT} --in {name}.json", 65)
        yield flow(f"open --keys other.jwks {READ} --in {name}.json", 65)
    yield flow(f"open --keys device.jwks --anonymous --topic {TOPIC} {AT} --in anonymous.json", shows=True)
    yield flow(f"open --keys device.jwks {READ} --in anonymous.json", 65)
    yield flow(f"open --keys device.jwks {READ} --data --in x25519.json", None)
    yield flow(f"open --keys sender.jwks {READ} --in x25519.json", 65)
    yield misplaced(f"open --keys device.jwks {READ} --in device.jwks", 65)
    yield misplaced(f"inspect --in device.jwks --json --envelope-key keys", None)
    yield misplaced("lint --in device.jwks", None)
    yield flow(f"simulate --keys device.jwks {READ} --in x25519.json --strings texts.strings", shows=True)
    yield misplaced(f"simulate --keys device.jwks {READ} --in x25519.json --strings device.jwks", 65)
    yield misplaced("log device.jwks", 65)
    yield flow("completions bash")
    yield flow("man")
    yield flow(f"open --keys device.jwks {READ} --in pictured.json", shows=True)
    yield flow("attach seal photo.jpg --out new.blob", shows=True)
    yield flow("attach seal photo.jpg --out new.blob --descriptor new.json", makes="work/new.json")
    yield flow("attach seal photo.jpg --out nowhere/new.blob", None)
    yield flow("attach open photo.blob --descriptor photo.json --out opened", makes="work/opened")
    yield flow("attach open bent.blob --descriptor photo.json --out opened", 65)
    yield misplaced("attach open photo.blob --descriptor device.jwks --out opened", 65)
    yield misplaced("attach seal device.jwks --out new.blob --type image/jpeg", 0, shows=True)


def formats():
    """Other systems' envelopes and secrets."""
    options = {"openssl-salted": "--unauthenticated", "bark": "--mode gcm"}
    names = ("openssl-salted", "bark", "webpush-aes128gcm", "webpush-aesgcm", "sodium-sealed-box", "zulip",
             "home-assistant")
    for name in names:
        read = f"open --format {name} {options.get(name, '')} --secret"
        yield flow(f"{read} {name}.secret --in {name}.json", shows=True)
        yield flow(f"{read} {name}.secret --in {name}.json --out opened", makes="work/opened")
        yield flow(f"{read} {name}.secret --in {name}.bent.json", None, shows=name == "openssl-salted")
        yield flow(f"{read} {name}.torn.secret --in {name}.json", None)
        yield flow(f"{read} device.jwks --in {name}.json", None)
        yield flow(f"{read} {name}.secret --in x25519.json", 65)
        yield flow(f"inspect --in {name}.json")
        yield misplaced(f"open --format {name} {options.get(name, '')} --secret {name}.secret --in {name}.secret", 65)
    for name, secret in (("openssl-salted --unauthenticated", "openssl-salted.secret"), ("zulip", "zulip.secret"),
                         ("webpush-aes128gcm", "webpush-aes128gcm.secret"), ("sodium-sealed-box", "box.public")):
        yield flow(f"seal --format {name} --secret {secret} --in plaintext")
        yield flow(f"seal --format {name} --secret {secret} --in nowhere", 66)
    yield flow("seal --format sodium-sealed-box --secret zulip.secret --in plaintext", 65)


def others():
    """The demonstration, and an extension with its log."""
    yield flow("demo", passes="tmp/sealpush-demo.*/*.jwks")
    yield flow("--help")
    # Foundation looks up the user's name.
    yield Flow("phone", stdin="pushes", shows=True, program="extension-process",
               passes="work/phone/attachments/*.jpg", calls=("socket", "connect"))
