"""Attachments both ways: http_ece opens the tool's blobs, and the tool opens http_ece's.

Usage: attachments.py SEALPUSH_BINARY
"""
import hashlib
import json
import pathlib
import secrets
import subprocess
import sys
import tempfile

import http_ece

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import agree, end
from sealed_push import b64, unb64

RECORD = 65536
OVERHEAD = 17
HEADER = 21
CONTENT = RECORD - OVERHEAD
SIZES = [0, 1, 2, CONTENT - 1, CONTENT, CONTENT + 1, RECORD, 2 * CONTENT, 2 * CONTENT + 1, 200_000, 1_000_000]


def describe(blob, key, /, **changes):
    """A blob's descriptor, by FORMAT.md, section 10."""
    members = {"key": b64(key), "sha256": b64(hashlib.sha256(blob).digest()), "size": len(blob), "type": "image/png"}
    return {**members, **changes}


class Tool:
    def __init__(self, binary, folder):
        self.binary, self.folder = str(pathlib.Path(binary).resolve()), folder

    def run(self, *arguments, stdin=b""):
        return subprocess.run([self.binary, *arguments], input=stdin, capture_output=True, cwd=self.folder, timeout=60)

    def seal(self, content):
        """Seals a file with the tool; returns the blob and its descriptor."""
        (self.folder / "file.png").write_bytes(content)
        done = self.run("attach", "seal", "file.png", "--out", "blob", "--force")
        if done.returncode != 0:
            raise RuntimeError(f"attach seal: exit {done.returncode}, {done.stderr.decode().strip()}")
        return (self.folder / "blob").read_bytes(), json.loads(done.stdout)

    def open(self, blob, descriptor):
        """Opens a blob with the tool; returns the file, or None, and the tool's message."""
        output = self.folder / "opened.png"
        output.unlink(missing_ok=True)
        (self.folder / "blob").write_bytes(blob)
        done = self.run("attach", "open", "blob", "--descriptor", "-", "--out", "opened.png",
                        stdin=json.dumps(descriptor).encode())
        if output.exists() != (done.returncode == 0) or done.returncode not in (0, 65):
            raise RuntimeError(f"attach open: exit {done.returncode}, {done.stderr.decode().strip()}")
        return (output.read_bytes() if output.exists() else None), done.stderr.decode()


def from_the_tool(tool, content):
    name = f"tool to http_ece, {len(content)} bytes"
    blob, descriptor = tool.seal(content)
    key = unb64(descriptor["key"])
    records = max(1, -(-len(content) // CONTENT))
    said = (descriptor["size"], descriptor["sha256"], descriptor["type"])
    right = (len(blob), b64(hashlib.sha256(blob).digest()), "image/png")
    if said != right or len(key) != 16:
        return agree(name, f"the descriptor says {said}, and it is {right}")
    if len(blob) != HEADER + len(content) + OVERHEAD * records or blob[16:HEADER] != bytes([0, 1, 0, 0, 0]):
        return agree(name, f"a blob of {len(blob)} bytes, header {blob[:HEADER].hex()}")
    opened = http_ece.decrypt(blob, key=key, version="aes128gcm")
    agree(name, "" if opened == content else "another file")


def to_the_tool(tool, content):
    key = secrets.token_bytes(16)
    blob = http_ece.encrypt(content, key=key, rs=RECORD, version="aes128gcm")
    opened, said = tool.open(blob, describe(blob, key))
    if not content:
        # For an empty file http_ece makes no record; by RFC 8188, 2, there is always a last one.
        return agree("refused: a header alone", "" if len(blob) == HEADER and opened is None else "it was opened")
    agree(f"http_ece to tool, {len(content)} bytes", "" if opened == content else f"another file, or {said.strip()!r}")


def refusals(tool, content):
    key = secrets.token_bytes(16)
    blob = http_ece.encrypt(content, key=key, rs=RECORD, version="aes128gcm")
    flipped = bytearray(blob)
    flipped[-1] ^= 1
    cut = blob[:HEADER + RECORD]
    small = http_ece.encrypt(content, key=key, rs=4096, version="aes128gcm")
    named = http_ece.encrypt(content, key=key, keyid="a1", rs=RECORD, version="aes128gcm")
    cases = [
        ("a flipped bit", bytes(flipped), describe(flipped, key)),
        ("a cut blob", cut, describe(blob, key)), ("a cut blob, described so", cut, describe(cut, key)),
        ("another record size", small, describe(small, key)), ("a key ID", named, describe(named, key)),
        ("another key", blob, describe(blob, secrets.token_bytes(16))),
        ("the file's digest", blob, describe(blob, key, sha256=b64(hashlib.sha256(content).digest()))),
        ("the file's size", blob, describe(blob, key, size=len(content))),
        ("a trailing byte", blob + b"\0", describe(blob, key)),
        ("a padded key", blob, describe(blob, key, key=b64(key) + "==")),
        ("an unknown type", blob, describe(blob, key, type="text/html")),
    ]
    for name, bytes_, descriptor in cases:
        opened, said = tool.open(bytes_, descriptor)
        agree(f"refused: {name}", "" if opened is None and said.startswith("sealpush: error: ") else "it was opened")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: attachments.py SEALPUSH_BINARY")
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(sys.argv[1], pathlib.Path(folder))
        for size in SIZES:
            content = secrets.token_bytes(size)
            from_the_tool(tool, content)
            to_the_tool(tool, content)
        refusals(tool, secrets.token_bytes(100_000))
    end()


if __name__ == "__main__":
    main()
