"""Base64url: random bytes and texts, and Python's results for them."""
import base64, re, string

from differential_case import Case, some_bytes

ALPHABET = (string.ascii_letters + string.digits + "-_").encode()
ACCIDENTS = {b"=": "padding", b"+": "standard-alphabet", b"/": "standard-alphabet", b" ": "whitespace",
             b"\t": "whitespace", b"\n": "whitespace", b"\r": "whitespace"}


def encode(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=")


def judge(text):
    """The bytes, or None; and the fault with its place."""
    at = re.match(rb"[A-Za-z0-9_-]*", text).end()
    if at < len(text):
        return None, f"{ACCIDENTS.get(text[at:at + 1], 'foreign-character')} at byte {at}"
    if len(text) % 4 == 1:
        return None, f"impossible-length at byte {at}"
    raw = base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))
    return (raw, None) if encode(raw) == text else (None, f"trailing-bits at byte {at - 1}")


def text(rng):
    text, roll = encode(some_bytes(rng, 200)), rng.randrange(12)
    at = rng.randint(0, len(text))
    if roll < 4:
        return text
    if roll == 4:
        return text + b"=" * rng.randint(1, 2)
    if roll == 5:
        return base64.standard_b64encode(base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))).rstrip(b"=")
    if roll == 6:
        return text[:at] + rng.choice(list(ACCIDENTS)) + text[at:]
    if roll == 7:
        return text[:at] + rng.randbytes(1) + text[at + 1:]
    if roll == 8:
        return text[:at]
    return text[:-1] + bytes(rng.choices(ALPHABET, k=1))


def case(rng):
    kind = rng.choice(("encode", "append", "decode", "decode", "bytewise", "bytewise"))
    if kind in ("encode", "append"):
        raw = some_bytes(rng, 200)
        before = b"before " if kind == "append" else b""
        return Case(f"base64url-{kind}", {"bytes": raw}, [before + encode(raw)])
    sent = text(rng)
    raw, wrong = judge(sent)
    return Case(f"base64url-{kind}", {"text": sent}, None if raw is None else [raw], reasons={wrong})
