"""python3 interoperate.py SEALPUSH_BINARY: sealed_push.py and the command line tool open each other's messages,
and openssl(1) and the tool read each other's keys."""
import copy, json, os, pathlib, secrets, subprocess, sys, tempfile, time, uuid

import sealed_push as sp
from base_mode import derive_key_pair
from check_vectors import same_json
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import agree, end

TOPIC = "com.example.app"
NOW = 1_760_000_000
CONTENTS = {
    "plain": {"aps": {"alert": {"title": "Alice", "subtitle": "Work", "body": "See you at ten"}, "badge": 3,
                      "sound": "chime.caf", "thread-id": "t-1", "category": "MESSAGE"}},
    "alert is a string": '{"aps":{"alert":"Hello"}}',
    "empty body with a title": {"aps": {"alert": {"title": "Alice", "body": ""}}},
    "white space and escapes": ' {\n"aps" : {"alert":{"title":"\\u0041\\/\\"\\\\","body":"\\ud83d\\ude00\\t"}} }\r\n',
    "emoji": {"aps": {"alert": {"title": "👩🏽‍🚀🏴‍☠️", "body": "e\u0301 is not é — 🇰🇷"}}},
    "Korean": {"aps": {"alert": {"title": "안녕하세요", "body": "오늘 저녁에 만나요"}}, "보낸이": "지민"},
    "custom members": {
        "aps": {"alert": {"title-loc-key": "T", "title-loc-args": ["a", "b"], "loc-key": "K", "loc-args": ["c"]},
                "sound": {"name": "s.caf", "critical": 1, "volume": 0.5}, "interruption-level": "time-sensitive",
                "relevance-score": 0.25, "content-available": 1},
        "null": None, "true": True, "false": False, "zero": 0, "one": 1, "negative": -42, "real": 0.1, "small": 5e-324,
        "large": 1.7976931348623157e308, "2^53+1": 2 ** 53 + 1, "2^63-1": 2 ** 63 - 1, "-2^63": -2 ** 63,
        "2^64-1": 2 ** 64 - 1, "2^64": 2 ** 64, "thirty digits": 123456789012345678901234567890, "string": "",
        "zero byte": "a\0b", "noncharacter": "\uffff", "array": [None, True, 1, 2.5, "x", [], {}], "object":
        {"a": {"b": [{"c": None}]}}, "": "empty name"},
}


def parse(raw):
    return sp.strict_json(raw if isinstance(raw, bytes) else raw.encode())


def write_private(path, jwks):
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(jwks, file)


def like(jwk, public, private):
    """A key that Python made, in the tool's form: its other members are those of a key of the tool."""
    new, old_t = copy.deepcopy(jwk), sp.thumbprint(jwk)
    raw = public[1:] if sp.kind(jwk) == "P-256" else public
    if sp.kind(jwk) == "xwing-aesgcm":
        new.update(pub=sp.b64(public), priv=sp.b64(private))
    else:
        new.update(x=sp.b64(raw[:32]), d=sp.b64(private),
                   **({"y": sp.b64(raw[32:])} if jwk["crv"] == "P-256" else {}))
    forms = (sp.b64, bytes.hex, lambda t: sp.b64(t[:8]), lambda t: t[:8].hex())
    for form in forms:
        if jwk.get("kid") == form(old_t):
            new["kid"] = form(sp.thumbprint(new))
            return new
    raise ValueError("the tool's kid is not made of the thumbprint")


def new_device(jwk, suite):
    if suite.id == 16:
        return other_shared(jwk)
    if suite.id == 3:
        seed = secrets.token_bytes(32)
        return like(jwk, sp.xwing_key(seed)[1], seed)
    key, public = derive_key_pair(suite, secrets.token_bytes(32))
    private = key.private_bytes_raw() if suite.id == 1 else key.private_numbers().private_value.to_bytes(32, "big")
    return like(jwk, public, private)


def new_sender(jwk):
    key = ed25519.Ed25519PrivateKey.generate()
    return like(jwk, key.public_key().public_bytes_raw(), key.private_bytes_raw())


def largest(room, signed):
    """Content whose plaintext fills the capacity exactly."""
    content = {"aps": {"alert": {"title": "L", "body": ""}}}
    content["aps"]["alert"]["body"] = "x" * (room - 1 - (101 if signed else 29) - len(sp.compact(content)))
    return content


def other_shared(jwk):
    """Another shared key, in the tool's form."""
    new = {**jwk, "k": sp.b64(secrets.token_bytes(32))}
    return {**new, "kid": sp.b64(sp.thumbprint(new))}


class Tool:
    def __init__(self, binary, folder):
        self.binary, self.folder = str(pathlib.Path(binary).resolve()), folder

    def run(self, *arguments, stdin=b""):
        return subprocess.run([self.binary, *map(str, arguments)], input=stdin, capture_output=True, cwd=self.folder,
                              timeout=60)

    def must(self, *arguments):
        done = self.run(*arguments)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, arguments))}: exit {done.returncode}, {done.stderr.decode().strip()}")

    def new_keys(self, role, name, *more):
        """Makes a private set, with its public one beside it, and returns it."""
        self.must("keys", "new", "--role", role, "--out", f"{name}.jwks", *more)
        return self.export(name)

    def new_shared(self, name):
        """Makes a shared key's set, which has no public half, and returns it."""
        self.must("keys", "new", "--role", "shared", "--out", f"{name}.jwks")
        private, mode = parse((self.folder / f"{name}.jwks").read_bytes()), (self.folder / f"{name}.jwks").stat().st_mode
        kids = [sp.b64(sp.thumbprint(key)) for key in private["keys"]]
        agree(f"keys {name}: mode, kid", "" if mode & 0o777 == 0o600 and kids == [k["kid"] for k in private["keys"]] else
              f"mode {mode:o}, or another kid")
        done = self.run("keys", "export", "--keys", f"{name}.jwks")
        agree(f"keys {name}: no export", "" if done.returncode == 65 and not done.stdout else "it was exported")
        return private

    def export(self, name):
        self.must("keys", "export", "--keys", f"{name}.jwks", "--out", f"{name}.pub.jwks")
        private, public = (parse((self.folder / f"{name}{end}").read_bytes()) for end in (".jwks", ".pub.jwks"))
        mode = (self.folder / f"{name}.jwks").stat().st_mode & 0o777
        stripped = [{k: v for k, v in key.items() if k not in ("d", "priv")} for key in public["keys"]]
        agree(f"keys {name}: mode, public set without d", "" if mode == 0o600 and stripped == public["keys"] and
              [sp.thumbprint(k) for k in public["keys"]] == [sp.thumbprint(k) for k in private["keys"]] else
              f"mode {mode:o}, or the public set is not the private one's")
        return private

    def open(self, payload, device, trust, topic=TOPIC, now=NOW):
        return self.run("open", "--keys", f"{device}.jwks", *trust, "--topic", topic, "--now", now, stdin=payload)

    def seal(self, content, device, sign):
        (self.folder / "content.json").write_bytes(content)
        public = self.folder / f"{device}.pub.jwks"
        to = public if public.exists() else f"{device}.jwks"  # shared keys have no public half
        return self.run("seal", "--to", to, *sign, "--topic", TOPIC, "--in", "content.json")


def as_bytes(content):
    return (content if isinstance(content, str) else sp.compact(content)).encode()


def opens(tool, name, content, payload, device, trust):
    done = tool.open(payload, device, trust)
    if done.returncode != 0:
        return agree(name, f"exit {done.returncode}, {done.stderr.decode().strip()}")
    try:
        equal = same_json(parse(done.stdout), parse(as_bytes(content)))
        agree(name, "" if equal else f"another content: {done.stdout[:300]!r}")
    except ValueError as error:
        agree(name, f"stdout is not JSON: {error}")


def refuses(name, done, reason):
    said = done.stderr.decode("utf-8", "replace")
    agree(name, "" if done.returncode == 65 and not done.stdout and reason in said else
          f"exit {done.returncode}, {len(done.stdout)} bytes on stdout, stderr {said.strip()!r}; expected 65, 0, {reason}")


def python_opens(tool, name, content, device, private, sign, senders):
    """Returns the outer payload that the tool made."""
    done = tool.seal(as_bytes(content), device, sign)
    if done.returncode != 0:
        return agree(name, f"exit {done.returncode}, {done.stderr.decode().strip()}")
    try:
        anonymous = "--anonymous" in sign
        opened = sp.open(done.stdout.decode(), private, senders, TOPIC, int(time.time()), accepts_anonymous=anonymous)
        equal = same_json(parse(opened.content_text), parse(as_bytes(content)))
        size = len(done.stdout.rstrip(b"\n"))
        expected = None if anonymous else sp.b64(sp.thumbprint(senders["keys"][0]))
        agree(name, "" if equal and size <= 4096 and opened.sender == expected else
              f"another content, {size} bytes, or another sender: {opened.content_text[:300]!r}")
        return done.stdout.decode().rstrip("\n")
    except (sp.Degraded, ValueError) as error:
        agree(name, f"{type(error).__name__}: {error}")


def suite_round(tool, suite, senders, sender_name):
    n, device = suite.name, f"d-{suite.name}"
    private = tool.new_shared(device) if suite.id == 16 else tool.new_keys("device", device, "--suite", n)
    jwk, sender = private["keys"][0], senders["keys"][0]
    skeleton = len(sp.compact(sp.SKELETON).encode())

    def seal(content, signer, topic=TOPIC, padding="buckets", to=jwk, content_type=1):
        return sp.seal(content, to, topic, n, signer, uuid.uuid4(), NOW, 3600, padding, content_type=content_type)

    signed_or_not = ((sender, "signed", ("--senders", f"{sender_name}.pub.jwks"), ("--from", f"{sender_name}.jwks")),
                     (None, "anonymous", ("--anonymous",), ("--anonymous",)))
    for signer, how, trust, sign in signed_or_not:
        # (a) from Python to the tool
        for name, content in CONTENTS.items():
            opens(tool, f"Python to tool, {n}, {how}, {name}", content, seal(content, signer), device, trust)
        big = largest(sp.capacity(skeleton, suite), signer is not None)
        opens(tool, f"Python to tool, {n}, {how}, largest", big, seal(big, signer), device, trust)
        for padding in ("none", "maximum"):
            content = CONTENTS["plain"]
            opens(tool, f"Python to tool, {n}, {how}, padding {padding}", content,
                  seal(content, signer, padding=padding), device, trust)

        # (b) from the tool to Python
        made = None
        for name, content in CONTENTS.items():
            made = python_opens(tool, f"tool to Python, {n}, {how}, {name}", content, device, private, sign, senders) or made
        if made:
            tools_skeleton = len(made.encode()) - len(sp.outer(made)[sp.ENVELOPE_KEY])
            big = largest(sp.capacity(tools_skeleton, suite), signer is not None)
            python_opens(tool, f"tool to Python, {n}, {how}, largest", big, device, private, sign, senders)
            big["aps"]["alert"]["body"] += "x"
            done = tool.seal(as_bytes(big), device, sign)
            agree(f"tool, {n}, {how}, one byte too many", "" if done.returncode and not done.stdout else "it was sealed")

        # (c) what the tool must refuse
        good = seal(CONTENTS["plain"], signer)
        outer = json.loads(good)
        envelope = bytearray(sp.unb64(outer[sp.ENVELOPE_KEY]))
        for where, at in (("first byte", 10 + suite.enc), ("middle", (10 + suite.enc + len(envelope)) // 2), ("tag", -1)):
            flipped = bytearray(envelope)
            flipped[at] ^= 1
            outer[sp.ENVELOPE_KEY] = sp.b64(bytes(flipped))
            refuses(f"tampered, {n}, {how}, {where}", tool.open(sp.compact(outer).encode(), device, trust), "not-authentic")
        refuses(f"wrong topic, {n}, {how}", tool.open(good, device, trust, topic="com.example.other"), "not-authentic")
        refuses(f"sealed for another topic, {n}, {how}",
                tool.open(seal(CONTENTS["plain"], signer, topic="com.example.other"), device, trust), "not-authentic")
        late = NOW + 3600 + 300
        agree(f"last second, {n}, {how}", "" if tool.open(good, device, trust, now=late).returncode == 0 else "refused")
        refuses(f"expired, {n}, {how}", tool.open(good, device, trust, now=late + 1), "expired")
        refuses(f"not yet valid, {n}, {how}", tool.open(good, device, trust, now=NOW - 301), "not-yet-valid")
        refuses(f"another device's, {n}, {how}",
                tool.open(seal(CONTENTS["plain"], signer, to=new_device(jwk, suite)), device, trust), "unknown-key")
        for what, raw in (("a member twice", b'{"aps":{"alert":"a"},"x":1,"\\u0078":2}'),
                          ("a lone surrogate", b'{"aps":{"alert":"a"},"x":"\\ud800"}'),
                          ("NaN", b'{"aps":{"alert":"a"},"x":NaN}'), ("no text", b'{"aps":{"badge":1}}')):
            bad = sp.seal(raw, jwk, TOPIC, n, signer, uuid.uuid4(), NOW, 3600, check=False)
            refuses(f"content with {what}, {n}, {how}", tool.open(bad, device, trust), "malformed-content")
            done = tool.seal(raw, device, sign)
            agree(f"tool seals {what}, {n}, {how}", "" if done.returncode and not done.stdout else "it was sealed")
    trust = signed_or_not[0][2]
    refuses(f"anonymous, {n}", tool.open(seal(CONTENTS["plain"], None), device, trust), "anonymous-not-accepted")
    refuses(f"a stranger's, {n}", tool.open(seal(CONTENTS["plain"], new_sender(sender)), device, trust), "unknown-sender")

    # The tool uses keys that Python made, in files that Python wrote.
    mine, my_sender = {"keys": [new_device(jwk, suite)]}, {"keys": [new_sender(sender)]}
    write_private(tool.folder / f"p-{n}.jwks", mine)
    write_private(tool.folder / f"ps-{n}.jwks", my_sender)
    if suite.id != 16:
        tool.export(f"p-{n}")
    tool.export(f"ps-{n}")
    content = CONTENTS["Korean"]
    opens(tool, f"Python's keys, Python to tool, {n}", content, seal(content, my_sender["keys"][0], to=mine["keys"][0]),
          f"p-{n}", ("--senders", f"ps-{n}.pub.jwks"))
    python_opens(tool, f"Python's keys, tool to Python, {n}", content, f"p-{n}", mine, ("--from", f"ps-{n}.jwks"), my_sender)


def openssl(*arguments, stdin=b""):
    done = subprocess.run(["openssl", *arguments], input=stdin, capture_output=True, timeout=60)
    return done.stdout if done.returncode == 0 else f"openssl: {done.stderr.decode().strip()}".encode()


def pem_round(tool, kind, generation, *options):
    """Single keys in PEM, to and from openssl(1) and Python's `cryptography`."""
    name = f"pem-{kind}"
    tool.must("keys", "new", *options, "--out", f"{name}.jwks")
    export = ("keys", "export", "--keys", f"{name}.jwks", "--format", "pem")
    tool.must(*export, "--private", "--out", f"{name}.pem")
    private, public = (tool.folder / f"{name}.pem").read_bytes(), tool.run(*export).stdout
    agree(f"{kind}: openssl reads the private key", "" if openssl("pkey", "-pubout", stdin=private) == public else
          "it says another public key")
    said = openssl("pkey", "-pubin", "-noout", "-text", stdin=public).decode()
    agree(f"{kind}: openssl reads the public key", "" if said.lower().startswith(("x25519", "ed25519", "public-key: (256"))
          else said)
    jwk = parse((tool.folder / f"{name}.jwks").read_bytes())["keys"][0]
    key = serialization.load_pem_private_key(private, None)
    raw = key.private_numbers().private_value.to_bytes(32, "big") if kind == "p256" else key.private_bytes_raw()
    agree(f"{kind}: Python reads the private key", "" if sp.b64(raw) == jwk["d"] else "it is another")
    made = openssl("genpkey", "-algorithm", *generation)
    done = tool.run("keys", "import", "--keys", f"{name}.jwks", *options, "--format", "pem", "--in", "-", stdin=made)
    again = tool.run(*export).stdout
    agree(f"{kind}: the tool reads openssl's", "" if done.returncode == 0 and again == openssl("pkey", "-pubout", stdin=made)
          else f"exit {done.returncode}, {done.stderr.decode().strip()}")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: interoperate.py SEALPUSH_BINARY")
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(sys.argv[1], pathlib.Path(folder))
        senders = tool.new_keys("sender", "s")
        lacking = tool.run("keys", "new", "--role", "device", "--suite", "xwing-aesgcm", "--out", "x.jwks")
        for suite in sp.SUITES.values():
            if suite.id == 3 and lacking.returncode:
                agree("the tool says what it lacks", "" if b"ML-KEM" in lacking.stderr else lacking.stderr.decode())
                continue
            suite_round(tool, suite, senders, "s")
        pem_round(tool, "x25519", ["x25519"], "--role", "device")
        pem_round(tool, "p256", ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "--role", "device", "--suite", "p256-aesgcm")
        pem_round(tool, "ed25519", ["ed25519"], "--role", "sender")
    note = ", no message of xwing-aesgcm: the tool's system does not have it" if lacking.returncode else ""
    end(note=note)


if __name__ == "__main__":
    main()
