"""Known secrets, and the forms in which each could be written."""
import base64, dataclasses, hashlib, json, struct, urllib.parse

SIZE = 16  # bytes of each piece in the search


@dataclasses.dataclass(frozen=True)
class Canary:
    """A secret that must be found only where it belongs."""
    name: str
    value: bytes
    is_text: bool = False  # a sealed text: openers show it, and it may stay in memory

    def forms(self):
        """The forms of the secret, by name."""
        value = self.value
        forms = {"bytes": value, "backwards": value[::-1]}
        for name, data in list(forms.items()):
            forms[f"{name}, hex"], forms[f"{name}, HEX"] = data.hex().encode(), data.hex().upper().encode()
            for shift in range(3):
                # Without the characters that share bits with the text before or after.
                begin, end = -(-shift * 4 // 3), (shift + len(data)) * 4 // 3
                text = base64.b64encode(bytes(shift) + data)[begin:end]
                forms[f"{name}, base64 at {shift}"] = text
                forms[f"{name}, base64url at {shift}"] = text.translate(bytes.maketrans(b"+/", b"-_"))
        forms["numbers"] = ", ".join(map(str, value)).encode()
        forms["numbers, close"] = ",".join(map(str, value)).encode()
        forms["numbers, 0x"] = ", ".join(f"0x{byte:02x}" for byte in value).encode()
        forms["escapes"] = "".join(f"\\x{byte:02x}" for byte in value).encode()
        return forms | (self.expanded() if len(value) == 32 else {}) | self.quoted()

    def expanded(self):
        """The secrets that libraries derive from a key: a clamped scalar, and Ed25519's scalar and prefix (RFC 8032, 5.1.5)."""
        clamped = lambda scalar: bytes([scalar[0] & 248]) + scalar[1:31] + bytes([scalar[31] & 63 | 64])
        digest = hashlib.sha512(self.value).digest()
        return {"clamped": clamped(self.value), "expanded": clamped(digest[:32]) + digest[32:]}

    def quoted(self):
        """The text as quoted by another program."""
        try:
            text = self.value.decode()
        except UnicodeDecodeError:
            return {}
        return {"JSON": json.dumps(text)[1:-1].encode(), "UTF-16": text.encode("utf-16-le"),
                "URL": urllib.parse.quote(text).encode()}


class Needles:
    """All pieces of all forms of the secrets, for the search."""

    def __init__(self, canaries):
        self.canaries, self.names = list(canaries), []
        pieces = {}
        for number, canary in enumerate(self.canaries):
            forms = {name: form for name, form in canary.forms().items() if len(form) >= SIZE}
            if not forms:
                raise ValueError(f"{canary.name} is too short to be looked for")
            self.names.append(list(forms))
            for index, form in enumerate(forms.values()):
                for start in range(len(form) - SIZE + 1):
                    pieces.setdefault(form[start:start + SIZE], (number, index))
        self.count = len(pieces)
        self.data = b"".join(struct.pack("<HH16s", *place, piece) for piece, place in pieces.items())

    def describe(self, number, index):
        return self.canaries[number], self.names[number][index]
