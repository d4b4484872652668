"""python3 compat.py: other systems' envelopes, both ways between PushCompat and implementations by others.

Web Push's other side is http_ece, both codings; secret boxes' and sealed boxes' is PyNaCl; the text of bytes in Z85
is a few lines of other_formats.py. `CompatOracleTests`, which the script runs with `swift test`, open
what others seal, intact and damaged; this script opens what those tests seal. The tests must have been built.
"""
import base64, json, os, pathlib, random, subprocess, sys, tempfile

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from nacl.public import PrivateKey, SealedBox
from nacl.secret import SecretBox

from other_formats import z85_bytes, z85_text
from sealed_push import b64, unb64

ROUNDS = 25
LENGTHS = [0, 1, 2, 3, 15, 16, 17, 100, 1000, 2500]


CARRIAGES = {"z85": ("p", z85_text, z85_bytes), "base64url": ("m", b64, unb64)}


def flip(data):
    """Flips one bit of the last byte, which is ciphertext or tag in every format."""
    return data[:-1] + bytes([data[-1] ^ 1])


def public_bytes(key):
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def web_push_receiver(carriage):
    key, auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    number = key.private_numbers().private_value.to_bytes(32, "big")
    return key, {"key": b64(number), "auth": b64(auth), "p256dh": b64(public_bytes(key)),
                 "carriage": carriage}


def web_push(plaintext, version, carriage):
    member, encode, _ = CARRIAGES[carriage]
    key, message = web_push_receiver(carriage)
    sender, salt = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    body = http_ece.encrypt(plaintext, salt=salt, private_key=sender, dh=public_bytes(key),
                            auth_secret=unb64(message["auth"]), version=version)
    extra = {"k": encode(public_bytes(sender)), "s": encode(salt)} if version == "aesgcm" else {}
    return message | {"format": f"webpush-{version}", "payload": {member: encode(body)} | extra,
                      "damaged": {member: encode(flip(body))} | extra}


def std(data):
    return base64.b64encode(data).decode()


def sealed_box(plaintext):
    key = PrivateKey.generate()
    box = SealedBox(key.public_key).encrypt(plaintext)
    return {"format": "sodium-sealed-box", "key": b64(bytes(key)), "payload": {"sealed_box": std(box)},
            "damaged": {"sealed_box": std(flip(box))}}


def zulip_key():
    key, number = os.urandom(32), random.getrandbits(32)
    return key, {"format": "zulip", "key": "", "push_key": std(b"\x31" + key), "id": number}


def zulip(plaintext):
    key, message = zulip_key()
    box = bytes(SecretBox(key).encrypt(plaintext))
    return message | {"payload": {"push_key_id": message["id"], "encrypted_data": std(box)},
                      "damaged": {"push_key_id": message["id"], "encrypted_data": std(flip(box))}}


def home_assistant(plaintext, rule):
    secret = os.urandom(32).hex()
    key = bytes.fromhex(secret) if rule == "hexadecimal" else secret.encode()[:32].ljust(32, b"\0")
    box = bytes(SecretBox(key).encrypt(plaintext))
    return {"format": "home-assistant", "key": b64(secret.encode()), "rule": rule,
            "payload": {"encrypted": True, "encrypted_data": std(box)},
            "damaged": {"encrypted": True, "encrypted_data": std(flip(box))}}


def sealed_by_others():
    for round in range(ROUNDS):
        plaintext = os.urandom(LENGTHS[round % len(LENGTHS)])
        # For an empty plaintext http_ece makes no record.
        messages = [web_push(plaintext, version, carriage) for version in ("aes128gcm", "aesgcm")
                    for carriage in CARRIAGES if plaintext]
        messages += [sealed_box(plaintext), zulip(plaintext)]
        messages += [home_assistant(plaintext, rule) for rule in ("hexadecimal", "truncated")]
        for message in messages:
            yield message | {"plaintext": b64(plaintext)}


def to_seal():
    """Requests to seal, each with the function that opens the answer."""
    for round in range(ROUNDS):
        plaintext = os.urandom(LENGTHS[round % len(LENGTHS)])
        text = {"plaintext": b64(plaintext)}
        for carriage in CARRIAGES:
            key, message = web_push_receiver(carriage)
            padding = random.choice([0, 1, 100])
            member, _, decode = CARRIAGES[carriage]
            yield (message | text | {"format": "webpush-aes128gcm", "padding": padding},
                   lambda payload, key=key, auth=unb64(message["auth"]), member=member, decode=decode:
                   http_ece.decrypt(decode(payload[member]), private_key=key, auth_secret=auth,
                                    version="aes128gcm"))
        box_key = PrivateKey.generate()
        yield (text | {"format": "sodium-sealed-box", "public_key": b64(bytes(box_key.public_key))},
               lambda payload, key=box_key: SealedBox(key).decrypt(
                   base64.b64decode(payload["sealed_box"], validate=True)))
        key, message = zulip_key()
        yield message | text, lambda payload, key=key, number=message["id"]: (
            SecretBox(key).decrypt(base64.b64decode(payload["encrypted_data"], validate=True))
            if payload["push_key_id"] == number else None)


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        theirs, ours = list(sealed_by_others()), list(to_seal())
        (folder / "sealed-by-others.json").write_text(json.dumps(theirs))
        (folder / "to-seal.json").write_text(json.dumps([request for request, _ in ours]))
        run = subprocess.run(["swift", "test", "--skip-build", "--filter", "CompatOracleTests"], cwd=root,
                             env=os.environ | {"SEALEDPUSH_COMPAT_ORACLE": str(folder)},
                             capture_output=True, text=True)
        answers = folder / "sealed-here.json"
        if run.returncode != 0 or not answers.exists():
            print(run.stdout[-4000:], run.stderr[-2000:], sep="\n")
            sys.exit("the tests that open what others sealed failed")
        passed += 2 * len(theirs)
        for (request, opened), answer in zip(ours, json.loads(answers.read_text()), strict=True):
            try:
                is_same = opened(answer["payload"]) == unb64(request["plaintext"])
            except Exception as error:
                print(type(error).__name__, error)
                is_same = False
            passed, failed = passed + is_same, failed + (not is_same)
            if not is_same:
                print("failed:", request["format"])
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
