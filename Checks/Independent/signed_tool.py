"""Signed key sets both ways: the tool accepts what Python signed, and Python accepts what the tool signed.

Usage: signed_tool.py SEALPUSH_BINARY
"""
import json, pathlib, subprocess, sys, tempfile, time

import signed_sets
import sealed_push
from signed_sets import Refused, pinned, public_half, read_enrolment, read_file, read_sender

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import check, end

TOPIC, TOKEN, BACKEND = "com.example.app", "00ff" * 8, "https://push.example.com"
PROOF = "dGhlIG5leHQgcHJvb2YuLg"
TOOL = pathlib.Path(sys.argv[1]).resolve()


def refused(work, *arguments):
    """The reason for which Python refuses; None if it accepts."""
    try:
        work(*arguments)
        return None
    except Refused as refusal:
        return refusal.reason


class Side:
    """A folder, and the tool in it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def run(self, line, given=b""):
        return subprocess.run([TOOL, *line.split()], cwd=self.folder, input=given, capture_output=True, timeout=60)

    def succeed(self, line, given=b""):
        done = self.run(line, given)
        if done.returncode:
            raise SystemExit(f"{line}: {done.stderr.decode()}")
        return done.stdout

    def keys(self, name):
        return json.loads((self.folder / name).read_text())

    def accept(self, line, given):
        """The tool's answer to an input: the change, or the reason for a refusal."""
        done = self.run(line, given if isinstance(given, bytes) else given.encode())
        if done.returncode in (0, 75):
            return json.loads(done.stdout)["change"]
        return done.stderr.decode().split(" is rejected: ")[-1].split(":")[0] if done.returncode == 65 else None


def check_senders(side):
    for role in ("root", "sender"):
        side.succeed(f"keys new --role {role} --out {role}.jwks")
        side.succeed(f"keys export --keys {role}.jwks --out {role}.pub.jwks")
    root, roots = side.keys("root.jwks")["keys"][0], pinned(side.keys("root.pub.jwks"))
    signed = side.succeed(f"keys sign-senders --keys root.jwks --senders sender.pub.jwks --topic {TOPIC}").strip()
    read = read_sender(signed, roots, TOPIC)
    check("Python reads the tool's set", read.claims["keys"] == side.keys("sender.pub.jwks"))
    check("it ends after 400 days", read.claims["exp"] == read.claims["iat"] + 400 * 86_400)
    check("the next key is in it, as an accepted one", [key["status"] for key in read.claims["keys"]["keys"]]
          == ["active", "accepted"] and read.claims["keys"] == public_half(side.keys("sender.jwks")))
    check("for another app Python refuses it",
          refused(read_sender, signed, roots, "com.example.other") == "other-topic")
    accept = f"keys accept --senders kept --root root.pub.jwks --topic {TOPIC}"
    check("the tool takes its own", side.accept(accept, signed) == "updated")
    serial, keys = read.claims["serial"], read.claims["keys"]
    newer = signed_sets.sign_senders(root, TOPIC, serial + 1, 1, 2, keys)
    check("the tool takes Python's, though it has ended", side.accept(accept, newer) == "updated")
    check("again", side.accept(accept, newer + "\n") == "unchanged")
    check("and none that is older", side.accept(accept, signed) == "older-serial")
    check("nor another one of its serial",
          side.accept(accept, signed_sets.sign_senders(root, TOPIC, serial + 1, 2, 2, keys)) == "same-serial")
    flipped = newer[:-2] + ("A" if newer[-2] != "A" else "B") + newer[-1]
    check("nor one that was changed", side.accept(accept, flipped) == "bad-signature")


def check_enrolments(side):
    side.succeed("keys new --role device --out device.jwks")
    plain = f"keys enrol --keys device.jwks --topic {TOPIC} --token {TOKEN} --audience {BACKEND}"
    enrol = f"{plain} --challenge 7Qx2"
    first, second = side.succeed(enrol).strip(), side.succeed(enrol).strip()
    read = read_enrolment(second, TOPIC, "7Qx2", BACKEND).signed
    check("Python reads the tool's enrolment", read.claims["keys"] == public_half(side.keys("device.jwks"), ("active",)))
    check("with its challenge", refused(read_enrolment, second, TOPIC, "other") == "wrong-challenge")
    check("for its backend", refused(read_enrolment, second, TOPIC, "7Qx2", BACKEND + "/") == "other-audience")
    change, lines, waiting = signed_sets.accept([], "phone", second.decode(), BACKEND, PROOF)
    check("and has it pending", change == "pending")
    check("and refuses the older one",
          refused(signed_sets.accept, lines, "phone", first.decode(), BACKEND, PROOF) == "older-serial")
    # Python asks, and the tool answers.
    kid, content = signed_sets.request_of(waiting)
    sender, device = side.keys("sender.jwks")["keys"][0], public_half(side.keys("device.jwks"), ("active",))["keys"][0]
    skeleton = {"aps": {"content-available": 1}, sealed_push.ENVELOPE_KEY: ""}
    check("it asks for the device's key", kid == device["kid"])
    payload = sealed_push.seal(json.loads(content), device, TOPIC, "x25519-chachapoly", sender,
                               "2c75dea1-70b5-4c96-b740-1f3362cce2e9", int(time.time()), 2_592_000, skeleton=skeleton,
                               content_type=sealed_push.PROOF_REQUEST, check=False)
    (side.folder / "request").write_bytes(payload if isinstance(payload, bytes) else payload.encode())
    answer = side.succeed(f"{plain} --answer request --senders sender.pub.jwks").strip()
    check("the tool answers Python's request",
          signed_sets.accept(lines, "phone", answer.decode(), BACKEND, PROOF)[0] == "registered")
    # The tool asks, and Python answers.
    accept = f"keys accept --registrations registrations --registration phone --audience {BACKEND} --from sender.jwks"
    check("the tool has it pending",
          side.accept(f"{accept} --challenge 7Qx2 --request asked", side.succeed(enrol)) == "pending")
    asked, opener = signed_sets.open_request(
        (side.folder / "asked").read_text(), side.keys("device.jwks"), side.keys("sender.pub.jwks"), TOPIC, time.time())
    identity, claims = side.keys("identity.jwks")["keys"][0], read.claims
    signed_sets.need_answer(asked, opener, BACKEND, identity["kid"], [device["kid"]])
    serial = claims["serial"] + 9
    newer = signed_sets.enrol(identity, TOPIC, serial, 1, "production", TOKEN, claims["keys"], BACKEND,
                              proof=asked["proof"])
    check("the tool takes Python's answer", side.accept(accept, newer) == "registered")
    kept = (side.folder / "registrations").read_text().splitlines()
    check("Python reads the tool's registrations",
          [line.proven for line in read_file(kept)] == [signed_sets.whole_of(read_enrolment(newer).signed)])
    newer = signed_sets.enrol(identity, TOPIC, serial + 1, 1, "sandbox", "0a", claims["keys"], BACKEND)
    check("a new token is pending", side.accept(accept, newer) == "pending")
    kept = (side.folder / "registrations").read_text().splitlines()
    check("Python reads that", [(line.proven.signed.claims["token"], line.signed.claims["token"])
                                for line in read_file(kept)] == [(TOKEN, "0a")])
    check("and writes the same",
          [json.loads(line) for line in kept] == [json.loads(signed_sets.line_of(line)) for line in read_file(kept)])
    check("and none that is older", side.accept(accept, second) == "older-serial")
    root = side.keys("root.jwks")["keys"][0]
    other = signed_sets.enrol(root, TOPIC, serial + 2, 1, "sandbox", "0b", claims["keys"], BACKEND)
    check("nor another identity's", side.accept(accept, other) == "other-identity")
    check("nor its keys under another name", side.accept(f"{accept.replace(' phone ', ' other ')} --new", other)
          == "key-in-use")


with tempfile.TemporaryDirectory() as folder:
    side = Side(folder)
    check_senders(side)
    check_enrolments(side)
end(least=20)
