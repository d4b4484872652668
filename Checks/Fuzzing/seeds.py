"""Writes the seeds of the corpus, small inputs that reach far, from Vectors into Corpus/<harness>/seed-*.

    python3 Checks/Fuzzing/seeds.py

Other files, such as inputs that the fuzzer found, stay as they are.
"""

import base64
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent.parent / "Vectors"
MOST = 24
LONGEST = 3000


def vectors(name):
    return json.loads((VECTORS / f"{name}.json").read_text())


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def spread(items):
    """At most MOST of the short items, from all parts of the list."""
    short = [item for item in items if len(item) <= LONGEST]
    step = max(1, -(-len(short) // MOST))
    return short[::step]


def envelope(payload):
    try:
        text = json.loads(payload)["ENCRYPTED_DATA"]
        decoded(text)
        return text
    except (KeyError, ValueError, TypeError):
        return None


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def length(bytes_):
    return bytes([len(bytes_)]) + bytes_


ALL = [v for name in ("opened", "data") for v in vectors(name)["vectors"]] + vectors("shared")["opened"]
DEGRADED = vectors("degraded")["vectors"] + vectors("shared")["degraded"]
SIGNED = vectors("signed")
PAYLOADS = [v["payload"] for v in ALL + DEGRADED]
CONTENTS = [v["content"] for v in ALL]
TEXTS = [text for text in map(envelope, PAYLOADS) if text]

ODD_JSON = [
    "0", "-0", "1e400", "-1.5e-10", "12345678901234567890", "true", "null", '""', '"\\u00e9\\ud83d\\ude00"',
    '"\\ud800"', "[[[[]]]]", "[" * 33 + "]" * 33, '{"a":1,"a":2}', '{"a":[1,2.5,{"b":"\\n\\u0001"}]}', "[1,]",
    r'"\b\f\n\r\t\u000b\u001f\\\"\/"',
    "\ufeff{}", '"\x01"', " \t\r\n[ ] ",
    '{"aps":{"alert":{"loc-key":"B","loc-args":["x",1,null],"title-loc-key":"A"},"sound":{"critical":1,"name":"x",'
    '"volume":0.5},"interruption-level":"critical","relevance-score":0.5,"badge":3}}',
    '{"aps":{"event":"update","timestamp":1,"content-state":{"a":1},"stale-date":2,"relevance-score":75}}',
]

# The first byte says that a content is wrapped (0), signed (2), or a plaintext (1).
CONTENT_SEEDS = [b"\x00" + c.encode() for c in CONTENTS[:14]] + [b"\x02" + c.encode() for c in CONTENTS[14:20]]
CONTENT_SEEDS += [b"\x00" + c.encode() for c in ODD_JSON[-2:]]
CONTENT_SEEDS += [
    bytes([form]) + compact({"aps": {"alert": "a", "sound": {"critical": 1, "name": "x"}, "interruption-level": level}})
    .encode() for form in (0, 2) for level in ("time-sensitive", "critical")
]
CONTENT_SEEDS += [
    b"\x00" + json.dumps({"aps": {"alert": "a"}, "sealed-push": {"v": 1, "attachments": [json.loads(d)]}}).encode()
    for d in [v["descriptor"] for v in vectors("attachments")["descriptors"]][:3]
]
PLAINTEXT = b"\x10" + bytes(16) + (1_800_000_000).to_bytes(8, "big") + (60).to_bytes(4, "big")
CONTENT_SEEDS.append(b"\x01" + PLAINTEXT + b'{"aps":{"alert":"a"}}\x80\x00\x00')

KEY_FILES = [vectors("keys")["device"], vectors("keys")["sender"], vectors("shared")["keys"], SIGNED["roots"]]
KEY_FILES += [
    {"v": 1, "role": role, "serial": 3, "keys": [{**SIGNED["keys"][name], "iat": 1790000000, "status": "active"}]}
    for role, name in (("root", "root"), ("identity", "identity"))
]
KEY_FILES += list(SIGNED["keys"].values())[:2] + vectors("keys")["device"]["keys"][:2]
KEY_FILES += [json.loads(v["payload"])["keys"] for v in SIGNED["senders"][:8]]
KEY_FILES.append({
    "v": 1,
    "encrypted": {"kdf": "argon2id", "passes": 1, "memory": 8192, "salt": "2YDC1DKT-d1Vn7NsUL6T3w",
                  "cipher": "xchacha20-poly1305", "nonce": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
    "ciphertext": "AAAA", "sha256": ""})
PEM = {
    "x25519": "302e020100300506032b656e04220420", "ed25519": "302e020100300506032b657004220420",
}


def pem(prefix):
    body = base64.b64encode(bytes.fromhex(prefix) + bytes(range(1, 33))).decode()
    return f"-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"


LINES = [compact({"payload": json.loads(c)}) for c in CONTENTS[:6]] + [
    '{"to":"00ff","payload":{"aps":{"alert":"a"}}}',
    compact({"to": {"v": 1, "keys": [{k: v for k, v in vectors("keys")["device"]["keys"][0].items() if k != "d"}]},
             "payload": {"aps": {"alert": "a"}}}),
    '{"payload":{"aps":{"alert":"a"}},"message_id":"01234567-89ab-cdef-0123-456789abcdef","lifetime":"12h",'
    '"priority":5,"collapse_id":"x","expiration":1800000001}',
    '{"payload":{"aps":{"alert":"a"}},"lifetime":60}', '{"payload":1}', "{", "",
]
PUBLIC = [{k: v for k, v in key.items() if k != "d"} for key in vectors("keys")["device"]["keys"][:2]]
DEVICES = [
    compact({"v": 1, "topic": "com.example.app", "environment": "production", "token": token,
             "keys": {"v": 1, "keys": [key]}})
    for token, key in zip(("00ff", "0a0b"), PUBLIC)
]
REGISTRATIONS = [line for v in SIGNED["registrations"] for line in v.get("after", [])[:1]]

SEALER = [
    # Suite, signed, no policy, no lifetime, no headers, a payload in JSON.
    b"\x00\x00" + bytes([signed]) + b"\x00\x00\x00\x01" + c.encode()
    for signed in (0, 1) for c in CONTENTS[:6]
] + [b"\x01\x00\x00\x00\x00\x00\x01" + CONTENTS[0].encode(), b"\x02\x00\x01\x00\x00\x00\x01" + CONTENTS[0].encode()]
# A notification: alert with title and body, badge, sound, thread.
SEALER += [
    b"\x00\x00\x01\x00\x00\x00\x00" + b"\x01\x01" + length(b"Ada") + b"\x00\x01" + length(b"Lunch?")
    + bytes([many, 99, 0]) + b"\x00" * 6 + b"\x01" + bytes(8)
    + b"\x01\x01" + length(b"default") + b"\x01" + length(b"chat")
    for many in (0, 1)
]
# A policy: title, key, sound, padding, push type, fitting, visible members.
SEALER += [
    b"\x00\x00\x01\x01" + length(b"New") + length(b"") + b"\x01" + bytes([padding, 0, kind, 0]) + bytes([fit])
    + (b"\x00\x00\x03\x00\x01\x00\x02\x00\x01" if fit > 1 else b"") + b"\x01\x00\x00" + b"\x01" + bytes(7) + b"\x3c"
    + b"\x00\x01" + CONTENTS[1].encode()
    for padding in range(3) for kind, fit in ((0, 0), (0, 2), (1, 1), (2, 0))
]

BLOB_HEADS = [bytes([layout, 0, 7, 0, 50, 0]) for layout in range(4)]
BLOBS = [head + b"\x00" + decoded(v["blob"]) for head in BLOB_HEADS[3:] for v in vectors("attachments")["blobs"]
         if len(v["blob"]) < 2000][:8]
BLOBS += [head + b"\x01" + file for head in BLOB_HEADS for file in (b"", b"a picture", bytes(range(256)))]
BLOBS += [head + b"\x02\x20\x00" + edit for head in BLOB_HEADS[:2]
          for edit in (b"\x00\x05\x00\x01", b"\x01\x10\x00\x12", b"\x03\x01\x00", b"\x05\x02ab")]
BLOBS += [head + b"\x03" + records for head in BLOB_HEADS[:3]
          for records in (b"\x00" + length(b"Lunch\x02"), b"\x01" + length(b"a\x01") + b"\x00" + length(b"b\x02\x00"))]

def compat(cases, *payloads):
    """Seeds for a case: payloads, edits and plaintexts."""
    seeds = [bytes([case, 0, 0]) + text for case in range(cases) for text in (b"", b'{"title":"Ada"}', bytes(40))]
    seeds += [bytes([case, 0, 1]) + edit for case in range(cases)
              for edit in (b"", b"\x00\x05\x00\x01", b"\x03\x01\x00")]
    return seeds + [compact(payload).encode() for payload in payloads]


Z = "A" * 64
# Examples of the formats' own plaintexts, in the harness's order.
FOREIGN = [
    '{"title":"Ada","body":"Lunch?","chat":42}',
    '{"Title":"Ada","body":"Lunch?","sound":"bell","group":"g","level":"critical","badge":"3","url":"x"}',
    "When I grow up, I want to be a watermelon", '{"aps":{"alert":{"title":"a"},"sound":{"critical":1,"name":"x"}}}',
    '{"title":"a","subtitle":"b","sealed-push":{}}',
    '{"type":"message","sender_full_name":"Ada","content":"Lunch?","recipient_type":"direct","message_ids":[1]}',
    '{"title":"Ada","message":"Lunch?","data":{"push":{"sound":{"critical":1,"name":"x"}},"tag":"t"}}',
]
P8 = pem("3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420")


def headers(*values):
    """Fields, present or not, each with its length."""
    return b"".join(b"\x00" if value is None else b"\x01" + length(value) for value in values)


def answer(status, body, *values):
    return (status - 100).to_bytes(2, "little") + headers(*values) + compact(body).encode()


ANSWERS = [answer(200, {}, b"eabeae54-14a8-11e5-b60b-1697f925ec7b", None, None),
           answer(410, {"reason": "Unregistered", "timestamp": 1800000000000}, None, None, None),
           answer(429, {"reason": "TooManyRequests"}, None, None, b"17"),
           answer(503, {"reason": "Shut down\n"}, None, None, b"99999999999999999999"),
           answer(403, {"reason": "ExpiredProviderToken"}, None, b"x", b"Wed, 21 Oct 2026 07:28:00 GMT")]


PROXY_ANSWERS = [b"\x07\x00" + text for text in (
    b"HTTP/1.1 200 Connection established\r\n\r\n\x16\x03\x03", b"HTTP/1.0 407 no\r\nProxy-Authenticate: Basic\r\n\r\n",
    b"HTTP/1.1 503\r\nX: " + b"x" * 8200, b"HTTP/1.1 200 OK\nX: 1\r\n\r\n", b"SSH-2.0-x\r\n")]
PROXY_URLS = [length(exceptions) + url for exceptions, url in (
    (b"", b"http://proxy.example.com:3128"), (b"*", b"http://a%3a:b%2F@[2001:db8::7]:8080/"),
    (b".apple.com, 192.0.2.0/24:443,[::1]:1", b"https://proxy:1"), (b"a:1 *.b", b"user@proxy:1"))]


def request(body, *changes, path=None, method=None):
    """Changes are pairs of a header's position and value."""
    text = len(changes).to_bytes(2, "little")
    for position, value in changes:
        text += position.to_bytes(2, "little") + headers(value)
    half = len(body) // 2
    return b"\x00\x00" + text + headers(path, method) + length(body[:half]) + length(body[half:])


BODY = compact({"aps": {"alert": {"title": "Ada", "body": "Lunch?"}}}).encode()
REQUESTS = [request(BODY), request(BODY, (2, b"background"), (3, b"5")), request(BODY, (4, b"0"), (6, b"chat")),
            request(BODY, (0, None)), request(BODY, (1, b"com.example.app.voip"), (2, b"voip")), request(b""),
            request(BODY, path=b"/3/device/0a0b"), request(BODY, path=b"/", method=b"GET"),
            request(BODY, (5, b"eabeae54-14a8-11e5-b60b-1697f925ec7b"), (4, b"1800000001"))]


def command(**members):
    body = compact(members)
    return f"POST /do HTTP/1.1\r\nHost: localhost:2198\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


PAGE = [size + text for size in (b"\x00\x00", b"\xff\x00") for text in (
    b"GET / HTTP/1.1\r\nHost: localhost:2198\r\n\r\n", command(do="switch-off", phone="Ada"),
    command(do="rotate", phone="Ada"), command(do="power", phone="Ada", power="low"), command(do="clear-faults"),
    command(do="fault", kind="refusal", status=429, reason="TooManyRequests", occasion="next", count=2),
    command(do="fault", kind="stream-limit", amount=1, occasion="all"))]


def row(*columns, payload=BODY):
    """A row of a store: the columns before and after the payload, each after its length, or absent."""
    return b"".join(b"\x00" if c is None else bytes([1, len(c)]) + c for c in columns) + payload


ROW_ID, ROW_TIME = b"eabeae54-14a8-11e5-b60b-1697f925ec7b", b"1800000000.5"
ROWS = [row(ROW_ID, b"alice", *[None] * 7, ROW_TIME), row(ROW_ID, b"alice", b"com.example.app", b"9", ROW_TIME,
            b"1900000000", b"60", b"5", b"lunch", ROW_TIME), row(ROW_ID, b"\xff", payload=b"["), row()]
CORPUS = {
    "rows": ROWS,
    "apns-answers": ANSWERS,
    "provider-keys": [P8.encode(), pem(PEM["x25519"]).encode(), P8[:120].encode(), (P8 + P8).encode()],
    "proxy-answers": PROXY_ANSWERS,
    "proxy-urls": PROXY_URLS,
    "stand-in": REQUESTS,
    "stand-in-page": PAGE,
    "envelope": [t.encode() for t in spread(TEXTS)] + [decoded(t) for t in spread(TEXTS)[::3]]
    + [PLAINTEXT + b"ab\x80\x00", PLAINTEXT + b"ab\x81\x00"],
    "base64url": [b"", b"Zg", b"Zm8", b"Zm9v", b"Zg==", b"Zm+v", b"Zm9v\n", b"-_-_", b"Zh", b"A", TEXTS[0].encode()],
    "json": [t.encode() for t in ODD_JSON] + [c.encode() for c in spread(CONTENTS)[:10]]
    + [p.encode() for p in spread(PAYLOADS)[:6]],
    "open": [p.encode() for p in spread(PAYLOADS)]
    + [bytes([1, kind, message, 0, 11 - message, 0]) + edit for kind, message in ((0, 0), (1, 3), (0, 7), (0, 11))
       for edit in (b"", b"\x00\x05\x00\x01", b"\x04\x05\x00\x40", b"\x03\x01\x00")],
    "content": CONTENT_SEEDS,
    "keys": [compact(k).encode() for k in KEY_FILES] + [pem(p).encode() for p in PEM.values()],
    "signed-sets": [v["payload"].encode() for v in SIGNED["senders"][:10] if "payload" in v]
    + [v["payload"].encode() for v in SIGNED["enrolments"][:10] if "payload" in v]
    + [v["enrolment"].encode() for v in SIGNED["enrolments"][:4]] + [r.encode() for r in REGISTRATIONS[:4]]
    + [v["text"].encode() for v in SIGNED["senders"][:2]]
    # The proven and the pending part of a registration.
    + [v["lines"][-1].encode() for v in SIGNED["registrations"] if v["id"] == "registration-read-pending"]
    + [v["request"]["content"].encode() for v in SIGNED["registrations"] if "request" in v][:1],
    "blob": BLOBS,
    "lines": [bytes([size]) + "\n".join(LINES[start:] + [""]).encode() for size in (0, 40, 255) for start in (0, 6, 8)]
    + [b"\x10" + line.encode() for line in LINES] + [b"\xfe" + b" " * size + b"\n{" for size in (2047, 2048, 2049)],
    "recipients": [(d + "\n").encode() for d in DEVICES]
    + ["\n".join(DEVICES).encode(), (DEVICES[0] + "\n" + DEVICES[0]).encode()]
    + [r.encode() for r in REGISTRATIONS[:6]] + ["\n".join(REGISTRATIONS[:2]).encode(), b"\n", b"{}"],
    "sealer": SEALER,
    "formats": [bytes([case, 0]) + text.encode() for case in range(7) for text in (CONTENTS[1], FOREIGN[case])]
    + [compact({"ciphertext": Z, "iv": "0123456789ab", "ENCRYPTED_DATA": 1}).encode()],
    "compat-openssl-salted": compat(
        2,
        {"ENCRYPTED_DATA": "U2FsdGVkX18BAgMEBQYHCP4gQNgG45IRi9CrqIvK9lf0wr5WYUoCJoAOMHMfoMPZ"},
        {"aps": {"content-state": {"ENCRYPTED_DATA": "U2FsdGVkX18BAgMEBQYHCP4gQNgG45IRi9CrqIvK9lc="}}}),
    "compat-bark": compat(6, {"ciphertext": Z, "iv": "0123456789abcdef"}, {"ciphertext": Z, "iv": "0123456789ab"},
                          {"ciphertext": Z}, {"ciphertext": Z, "iv": 1}),
    "compat-webpush": compat(2, {"p": "0" * 200}, {"m": "A" * 200}, {"m": "A" * 199 + "=", "k": "x"}),
    "compat-webpush-draft": compat(
        2, {"p": "0" * 60, "k": "0" * 82, "s": "0" * 20}, {"m": Z, "k": "B" + "A" * 86, "s": "A" * 22}),
    "compat-sealed-box": compat(1, {"sealed_box": Z + Z}, {"sealed_box": "AA=="}),
    "compat-zulip": compat(1, {"push_key_id": 1, "encrypted_data": Z}, {"push_key_id": -1, "encrypted_data": Z}),
    "compat-home-assistant": compat(
        1,
        {"encrypted": True, "encrypted_data": Z, "webhook_id": "hook"}, {"encrypted": True, "encrypted_data": Z},
        {"encrypted": False, "encrypted_data": Z}, {"encrypted": True, "encrypted_data": Z, "webhook_id": 1}),
}


def main():
    for name, seeds in CORPUS.items():
        folder = HERE / "Corpus" / name
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.glob("seed-*"):
            file.unlink()
        for number, seed in enumerate(dict.fromkeys(seeds)):
            (folder / f"seed-{number:02}").write_bytes(seed)


main()
