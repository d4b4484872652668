"""A folder with the inputs of all commands, made of known secrets and of faults."""
import base64, json, pathlib, secrets, subprocess, sys

from cryptography.hazmat.primitives.serialization import (BestAvailableEncryption, Encoding, NoEncryption,
                                                          PrivateFormat)

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Independent"))
import key_files
import sealed_push
from agreement import agreed
from foreign import Foreign
from forms import Canary
from watched import Folder

NOW = 1_800_000_000
TOPIC = "com.example.app"
BACKEND = "https://push.example.com"
TO = {"x25519": "device.pub.jwks", "p256": "device.pub.jwks --suite p256-aesgcm", "shared": "shared.jwks"}


def canary_text(name):
    """A text with letters that other formats write differently."""
    return f'{name} "\\ü-{secrets.token_hex(16)}'


class Stage(Foreign, Folder):
    """The folder, with its secrets by name."""

    def __init__(self, tool):
        super().__init__()
        self.tool, self.canaries = tool, {}
        self.message, self.photo = self.text("message"), self.text("photo")
        self.keys()
        self.encrypted()
        self.foreign_programs()
        self.faults()
        self.messages()
        self.formats()
        self.row_keys()

    def run(self, line, stdin=b"", status=0, program="sealpush"):
        done = subprocess.run([self.tool.parent / program, *line.split()], cwd=self.work, env=self.environment, input=stdin,
                              capture_output=True)
        if done.returncode != status:
            sys.exit(f"{line}: {done.stderr.decode()}")
        return done.stdout

    def secret(self, name, value):
        self.canaries[name] = Canary(name, value)
        return value

    def text(self, name):
        text = canary_text(name)
        self.canaries[name] = Canary(name, text.encode(), is_text=True)
        return text

    def keys(self):
        """Makes key files of every role; those with key pairs hold imported keys."""
        for file, suite in (("device", "x25519-chachapoly"), ("device", "p256-aesgcm"), ("sender", None)):
            name = f"{file}.raw" if suite != "p256-aesgcm" else "p256.raw"
            self.write(name, self.secret(f"imported {name}", secrets.token_bytes(32)))
            self.run(f"keys import --keys {file}.jwks --role {file} --format raw --in {name} --now {NOW}"
                     + (f" --suite {suite}" if suite else ""))
            self.run(f"keys export --keys {file}.jwks --out {file}.pub.jwks --force")
        for name, role in (("shared", "shared"), ("root", "root"), ("other", "device"), ("rotated", "sender")):
            self.run(f"keys new --role {role} --out {name}.jwks --now {NOW - 40 * 86_400}")
        self.run(f"keys rotate --keys rotated.jwks --again --now {NOW - 39 * 86_400}")
        self.run("keys export --keys root.jwks --out root.pub.jwks")
        self.run(f"keys sign-senders --keys root.jwks --senders sender.pub.jwks --topic {TOPIC} --out senders.jws")
        (self.work / "phone").mkdir(mode=0o700)
        self.run(f"keys new --role device --out phone/device.jwks --now {NOW}")
        enrol = f"keys enrol --keys phone/device.jwks --topic {TOPIC} --token 00ff --audience {BACKEND} --now {NOW}"
        accept = (f"keys accept --registrations registrations --registration ada --audience {BACKEND} "
                  f"--from sender.jwks --now {NOW} --in")
        self.run(f"{enrol} --challenge 7Qx2 --out pending.json")
        self.run(f"{accept} pending.json --challenge 7Qx2 --request request.json", status=75)
        self.run(f"{enrol} --answer request.json --senders sender.pub.jwks --out enrolment.json")
        self.run(f"{accept} enrolment.json")

    def row_keys(self):
        """Makes row keys, right and wrong, and a store that is sealed with one."""
        for name in ("row", "other"):
            key = self.secret(f"the {name} key", secrets.token_bytes(32))
            self.write(f"{name}.key", base64.urlsafe_b64encode(key).rstrip(b"=") + b"\n")
        self.write("torn.key", self.read("row.key")[:40])
        self.run("devices import registrations --store push.sqlite --row-key row.key", program="sealpushd")

    def encrypted(self):
        """Makes an encrypted key file, and passphrases that are right, wrong, too long and readable by others."""
        for name in ("pass", "wrong", "new"):
            self.write(name, self.secret(f"passphrase {name}", canary_text(name).encode()) + b"\nnot part of it\n")
        self.write("open.pass", self.read("pass"), mode=0o644)
        self.write("long.pass", self.secret("passphrase too long", secrets.token_hex(600).encode()))
        self.write("locked.jwks", self.read("device.jwks"))
        self.run("keys passphrase --keys locked.jwks --new-passphrase-file pass")
        locked = json.loads(self.read("locked.jwks"))
        header = locked["encrypted"]
        self.secret("the passphrase's key", key_files.Argon2id(
            salt=sealed_push.unb64(header["salt"]), length=32, iterations=header["passes"], lanes=1,
            memory_cost=header["memory"] // 1024).derive(self.canaries["passphrase pass"].value))
        for member, name in (("ciphertext", "damaged"), ("sha256", "altered")):
            text = locked[member]
            self.write(f"{name}.jwks", json.dumps(locked | {member: text[:8] + text[8:][::-1]}))
        self.write("dear.jwks", json.dumps(locked | {"encrypted": header | {"memory": 1 << 50}}))

    def foreign_programs(self):
        """Writes the device's and the sender's key as other programs do, valid and invalid."""
        for name in ("device", "p256", "sender"):
            file = "sender" if name == "sender" else "device"
            jwk = next(key for key in json.loads(self.read(f"{file}.jwks"))["keys"]
                       if sealed_push.unb64(key["d"]) == self.read(f"{name}.raw"))
            self.write(f"{name}.kid", jwk["kid"])
            self.write(f"{name}.jwk", json.dumps({member: jwk[member] for member in jwk if member in "kty crv x y d"}))
            key = sealed_push.private_key(jwk)
            plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            self.write(f"{name}.pem", plain)
            note = f"# {jwk['d']} {self.read(f'{name}.raw').hex()}\n".encode()
            self.write(f"{name}.noted.pem", note + plain + note)
            self.write(f"{name}.torn.pem", note + plain[:80])
            self.write(f"{name}.bent.pem", plain.replace(b"M", b"N", 1))
            self.write(f"{name}.twice.pem", plain + plain)
            self.write(f"{name}.locked.pem", key.private_bytes(
                Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(self.canaries["passphrase pass"].value)))
            self.write(f"{name}.short.jwk", json.dumps(jwk | {"d": jwk["d"][:-1]}))
            self.write(f"{name}.long.jwk", json.dumps(jwk | {"d": jwk["d"] + "AAAA"}))
            self.write(f"{name}.number.jwk", json.dumps(jwk | {"d": [*self.read(f"{name}.raw")]}))
            self.write(f"{name}.more.jwk", json.dumps(jwk | {"dp": jwk["d"], "ext": {"k": jwk["d"]}}))
            self.write(f"{name}.short.raw", self.read(f"{name}.raw")[:31])
            self.write(f"{name}.long.raw", self.read(f"{name}.raw") + b"\n")
            if name == "p256":
                self.write("p256.sec1.pem", key.private_bytes(
                    Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()))

    def faults(self):
        """Writes invalid files of key sets."""
        text = self.read("device.jwks").decode()
        keys = json.loads(text)
        secret = keys["keys"][0]["d"]
        for name, data in (
                ("torn", text[:-60]), ("half", text[:text.index(secret) + 30]),
                ("twice", text.replace('"d":', f'"d":"{secret}","d":')), ("odd", text.replace('"d":', '"p":')),
                ("named", text.replace(f'"d":"{secret}"', f'"{secret}":1')),
                ("bent", text.replace(secret, "+" + secret[1:])),
                ("later", text.replace('"v":1', '"v":2')), ("escaped", text.replace(secret, "\\u0041" + secret[1:])),
                ("swapped", text.replace(secret, keys["keys"][1]["d"])), ("list", f"[{text}]"),
                ("kid", text.replace(keys["keys"][0]["kid"], secret)),
                ("x", text.replace(keys["keys"][0]["x"], secret)),
                ("use", text.replace('"use":"enc"', f'"use":"{secret}"')), ("behind", text + secret)):
            self.write(f"{name}.jwks", data)
        self.write("open.jwks", text, mode=0o644)
        (self.work / "link.jwks").symlink_to("device.jwks")

    def messages(self):
        """Writes a payload, sealed messages, and jobs."""
        payload = {"aps": {"alert": {"title": "Ada", "body": self.message}, "sound": "default"}, "chat": 42}
        self.write("payload.json", json.dumps(payload))
        self.write("half.json", json.dumps(payload)[:-20])
        for name, to in TO.items():
            self.run(f"seal --to {to} --from sender.jwks --topic {TOPIC} --now {NOW} --in payload.json "
                     f"--out {name}.json")
            sealed = json.loads(self.read(f"{name}.json"))
            self.agreed(name, sealed["ENCRYPTED_DATA"])
            bent = sealed["ENCRYPTED_DATA"]
            self.write(f"{name}.bent.json", json.dumps(sealed | {"ENCRYPTED_DATA": bent[:-9] + bent[-9:][::-1]}))
        self.run(f"seal --to device.pub.jwks --anonymous --topic {TOPIC} --now {NOW} --in payload.json "
                 "--out anonymous.json")
        self.write("texts.strings", '"GREETING" = "Hello %@";')
        self.write("photo.jpg", self.photo)
        descriptor = self.run("attach seal photo.jpg --out photo.blob --url https://blobs.example.com/photo.blob")
        self.write("photo.json", descriptor)
        self.canaries["blob key"] = Canary("blob key", sealed_push.unb64(json.loads(descriptor)["key"]), is_text=True)
        blob = bytearray(self.read("photo.blob"))
        blob[-1] ^= 1
        self.write("bent.blob", bytes(blob))
        self.run(f"seal --to device.pub.jwks --from sender.jwks --topic {TOPIC} --now {NOW} --in payload.json "
                 "--attach photo.json --out pictured.json")
        self.write("phone/photo.blob", self.read("photo.blob"))
        self.write("phone/senders.jwks", self.read("sender.pub.jwks"))
        self.run("keys export --keys phone/device.jwks --out phone.pub.jwks")
        pushes = [self.run(f"seal --to phone.pub.jwks --topic {TOPIC} --in payload.json {rest}") for rest in (
            "--from sender.jwks", "--from sender.jwks --attach photo.json", "--anonymous", "--from rotated.jwks")]
        self.write("pushes", b"\n".join([*pushes, pushes[0][:-30] + b'AAAA"}', b'{"aps":{}}']) + b"\n")
        job = json.dumps({"payload": payload})
        self.write("jobs.jsonl", f"{job}\n{job}\n")
        self.write("half.jsonl", f'{job}\n{job[:-20]}\n{{"payload":"{self.message}"}}\n{{"to":"{self.message}"}}\n')
        self.write("key.jsonl", f'{{"to":{self.read("device.jwk").decode()},"payload":{json.dumps(payload)}}}\n')

    def agreed(self, name, envelope):
        """The secrets that the two sides of a message share (RFC 9180, or FORMAT.md's suite for shared keys)."""
        file = "shared.jwks" if name == "shared" else "device.jwks"
        for key in json.loads(self.read(file))["keys"]:
            for part, value in agreed(name, key, sealed_push.unb64(envelope), TOPIC).items():
                self.secret(f"{part} of {name}.json", value)
