"""Key files with a passphrase, both ways: Python opens the tool's, and the tool opens Python's.

Written from Documentation/Operating/Keys.md. Argon2id, ChaCha20 and Poly1305 are OpenSSL's, through `cryptography`; the tool's are
libsodium's.

Usage: key_files.py SEALPUSH_BINARY
"""
import hashlib, json, os, pathlib, secrets, struct, subprocess, sys, tempfile

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import check, end
from sealed_push import b64, unb64

PASSPHRASE = "pässwort 안녕".encode()


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def hchacha20(key, nonce):
    """draft-irtf-cfrg-xchacha-03, 2.2: a ChaCha20 block without the addition of the state that it began with."""
    block = Cipher(algorithms.ChaCha20(key, nonce), None).encryptor().update(bytes(64))
    words, begun = struct.unpack("<16I", block), struct.unpack("<16I", b"expand 32-byte k" + key + nonce)
    return struct.pack("<8I", *((words[i] - begun[i]) % 2**32 for i in (0, 1, 2, 3, 12, 13, 14, 15)))


def cipher(passphrase, header):
    """A file's AEAD, and the rest of the nonce for it."""
    kdf = Argon2id(salt=unb64(header["salt"]), length=32, iterations=header["passes"], lanes=1,
                   memory_cost=header["memory"] // 1024)
    nonce = unb64(header["nonce"])
    return ChaCha20Poly1305(hchacha20(kdf.derive(passphrase), nonce[:16])), bytes(4) + nonce[16:]


def encrypt(passphrase, plaintext, passes=1, memory=8192):
    header = {"kdf": "argon2id", "passes": passes, "memory": memory, "salt": b64(secrets.token_bytes(16)),
              "cipher": "xchacha20-poly1305", "nonce": b64(secrets.token_bytes(24))}
    aead, nonce = cipher(passphrase, header)
    ciphertext = aead.encrypt(nonce, plaintext, compact(header))
    return {"v": 1, "encrypted": header, "ciphertext": b64(ciphertext),
            "sha256": b64(hashlib.sha256(compact(header) + ciphertext).digest())}


def decrypt(passphrase, file):
    header, ciphertext = file["encrypted"], unb64(file["ciphertext"])
    if hashlib.sha256(compact(header) + ciphertext).digest() != unb64(file["sha256"]):
        raise ValueError("damaged")
    aead, nonce = cipher(passphrase, header)
    return aead.decrypt(nonce, ciphertext, compact(header))


class Tool:
    def __init__(self, binary, folder):
        self.binary, self.folder = pathlib.Path(binary).resolve(), folder

    def run(self, *words, passphrase=PASSPHRASE):
        given = ["--passphrase-fd", "0"] if passphrase else []
        return subprocess.run([self.binary, *words, *given], cwd=self.folder, input=(passphrase or b"") + b"\n",
                              capture_output=True, timeout=60)

    def write(self, name, file, indent=None):
        path = self.folder / name
        path.write_text(json.dumps(file, indent=indent))
        os.chmod(path, 0o600)


def tool_to_python(tool):
    for role in ("device", "sender", "shared"):
        made = tool.run("keys", "new", "--role", role, "--out", f"{role}.jwks")
        check(f"{role}: made", made.returncode == 0)
        file = json.loads((tool.folder / f"{role}.jwks").read_bytes())
        check(f"{role}: the price", (file["encrypted"]["passes"], file["encrypted"]["memory"]) == (3, 256 << 20))
        keys = json.loads(decrypt(PASSPHRASE, file))["keys"]
        listed = json.loads(tool.run("keys", "list", "--json", "--keys", f"{role}.jwks").stdout)
        check(f"{role}: the same keys", [k["kid"] for k in keys] == [k["kid"] for k in listed]
              and len(keys) == (2 if role == "sender" else 1))
        try:
            decrypt(PASSPHRASE + b"x", file)
            check(f"{role}: another passphrase", False)
        except InvalidTag:
            check(f"{role}: another passphrase", True)


def python_to_tool(tool):
    plain = tool.run("keys", "new", "--role", "device", "--out", "plain.jwks", passphrase=None)
    check("a plain file", plain.returncode == 0)
    plaintext = (tool.folder / "plain.jwks").read_bytes()
    exported = tool.run("keys", "export", "--keys", "plain.jwks", passphrase=None).stdout
    for passes, memory in ((1, 8192), (16, 8192), (2, 65 << 10), (1, 1 << 30)):
        tool.write("python.jwks", encrypt(PASSPHRASE, plaintext, passes, memory))
        done = tool.run("keys", "export", "--keys", "python.jwks")
        check(f"{passes} passes over {memory} bytes", done.returncode == 0 and done.stdout == exported)
    file = encrypt(PASSPHRASE, plaintext)
    tool.write("python.jwks", file, indent=2)
    check("white space", tool.run("keys", "export", "--keys", "python.jwks").stdout == exported)
    check("another passphrase", tool.run("keys", "list", "--keys", "python.jwks", passphrase=b"x").returncode == 77)
    empty = encrypt(PASSPHRASE, b"")
    tool.write("python.jwks", empty)
    check("nothing inside", tool.run("keys", "list", "--keys", "python.jwks").returncode == 65)
    tool.write("python.jwks", file | {"ciphertext": empty["ciphertext"]})
    check("damaged", b"is damaged" in tool.run("keys", "list", "--keys", "python.jwks").stderr)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: key_files.py SEALPUSH_BINARY")
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(sys.argv[1], pathlib.Path(folder))
        tool_to_python(tool)
        python_to_tool(tool)
    end()


if __name__ == "__main__":
    main()
