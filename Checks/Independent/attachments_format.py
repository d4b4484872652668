"""Attachments, written only from FORMAT.md, section 10: their lists, addresses, descriptors and blobs.

Numbers in square brackets are the rules of that document.
"""
import hashlib, hmac, ipaddress, re

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from sealed_push import b64, unb64

RECORD, HEADER, TAG = 65536, 21, 16
MOST = 8
LONGEST = {"image": 10_000_000, "audio": 5_000_000, "video": 50_000_000}
TYPES = {"image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "audio/aiff": "aiff", "audio/wav": "wav",
         "audio/mpeg": "mp3", "audio/mp4": "m4a", "video/mpeg": "mpg", "video/mpeg2": "m2v", "video/mp4": "mp4",
         "video/x-msvideo": "avi"}
NOT_PUBLIC = [ipaddress.ip_network(n) for n in (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3")]
GIVEN_OUT = ipaddress.ip_network("2000::/3")
CARRIES_IPV4 = [ipaddress.ip_network("2001::/32"), ipaddress.ip_network("2002::/16")]
LOCAL = (["localhost"], ["local"], ["internal"], ["home", "arpa"])


class LeftOut(Exception):
    def __init__(self, reason, rule):
        super().__init__(f"{reason} [{rule}]")
        self.reason, self.rule = reason, rule


def need(condition, reason, rule):
    if not condition:
        raise LeftOut(reason, rule)


# --- the list in the content

def elements(member):
    """[10.1] The descriptors to check; None if the member is not a list of attachments."""
    if not isinstance(member, dict) or type(member.get("v")) is not int or member["v"] != 1:
        return None
    return member["attachments"][:MOST] if isinstance(member.get("attachments"), list) else None


# --- the address

def check_address(url):
    def address(condition, rule):
        need(condition, "invalid-url", rule)
    address(len(url.encode("utf-8", "surrogatepass")) <= 2048, "10.5")
    address(re.fullmatch(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*", url, re.ASCII), "10.5")
    address(url.startswith("https://") and "#" not in url, "10.5")
    authority = re.split("[/?]", url[len("https://"):], maxsplit=1)[0]
    address("@" not in authority, "10.5")
    bracket = authority.find("]") + 1 if authority.startswith("[") else 0
    if bracket:
        host, colon, port = (authority[:bracket], ":", authority[bracket + 1:]) if authority[bracket:].startswith(":") \
            else (authority, "", "")
    elif authority.startswith("["):
        host, colon, port = authority, "", ""
    else:
        host, colon, port = authority.partition(":")
    address(host, "10.5")
    address(not colon or re.fullmatch("[0-9]{1,5}", port, re.ASCII) and 1 <= int(port) <= 65535, "10.5")
    if host.startswith("["):
        address(is_public_ipv6(host), "10.8")
        return
    labels = host.removesuffix(".").split(".")
    address(len(host.removesuffix(".")) <= 253, "10.6")
    address(all(re.fullmatch("[A-Za-z0-9_-]{1,63}", label, re.ASCII) for label in labels), "10.6")
    if re.fullmatch("[0-9]+|0[xX][0-9A-Fa-f]*", labels[-1], re.ASCII):
        address(is_public_ipv4(labels), "10.7")
        return
    lower = [label.lower() for label in labels]
    address(len(labels) >= 2 and not any(lower[-len(end):] == end for end in LOCAL), "10.6")


def ipv4_number(label):
    for pattern, base in (("0[xX]([0-9A-Fa-f]+)", 16), ("0([0-7]*)", 8), ("([1-9][0-9]*)", 10)):
        match = re.fullmatch(pattern, label, re.ASCII)
        if match:
            return int(match[1] or "0", base)
    return None


def is_public_ipv4(labels):
    numbers = [ipv4_number(label) for label in labels]
    if len(numbers) > 4 or None in numbers or any(n > 255 for n in numbers[:-1]):
        return False
    left = 5 - len(numbers)  # the bytes that the last number fills
    if numbers[-1] >= 256 ** left:
        return False
    value = int.from_bytes(bytes(numbers[:-1]) + numbers[-1].to_bytes(left, "big"), "big")
    return not any(ipaddress.IPv4Address(value) in network for network in NOT_PUBLIC)


def is_public_ipv6(host):
    try:
        address = ipaddress.IPv6Address(host[1:-1] if host.endswith("]") else "")
    except ValueError:
        return False
    # A zone would have a percent sign.
    return "%" not in host and address in GIVEN_OUT and not any(address in network for network in CARRIES_IPV4)


# --- the descriptor

def blob_size(n):
    return HEADER + n + 17 * max(1, -(-n // (RECORD - 17)))


def check_descriptor(value):
    """[10.2] to [10.8]; the value must come from strict_json, where 39.0 is not an int."""
    need(isinstance(value, dict), "not-a-descriptor", "10.2")
    need("url" in value, "missing-url", "10.2")
    need(isinstance(value["url"], str), "invalid-url", "10.2")
    for name, size in (("key", 16), ("sha256", 32)):
        try:
            good = isinstance(value.get(name), str) and len(unb64(value[name])) == size
        except ValueError:
            good = False
        need(good, f"invalid-{name}", "10.2")
    size, kind = value.get("size"), value.get("type")
    need(type(size) is int and 0 <= size < 2 ** 63, "invalid-size", "10.2")
    need(isinstance(kind, str), "invalid-type", "10.2")
    need(kind in TYPES, "invalid-type", "10.3")
    rest = (size - HEADER) % RECORD
    need(size >= 38 and (rest == 0 or rest >= 17), "invalid-size", "10.4")
    need(size <= blob_size(LONGEST[kind.split("/")[0]]), "too-large", "10.4")
    check_address(value["url"])


# --- the blob

class Cipher:
    def __init__(self, salt, key):
        prk = hmac.digest(salt, key, "sha256")
        self.aead = AESGCM(hmac.digest(prk, b"Content-Encoding: aes128gcm\0\1", "sha256")[:16])
        self.base = int.from_bytes(hmac.digest(prk, b"Content-Encoding: nonce\0\1", "sha256")[:12], "big")

    def nonce(self, number):
        return (self.base ^ number).to_bytes(12, "big")


def open_blob(blob, descriptor):
    """[10.9] to [10.13] Returns the file; the descriptor must have been checked."""
    need(len(blob) == descriptor["size"], "wrong-size", "10.9")
    need(blob[16:HEADER] == RECORD.to_bytes(4, "big") + b"\0", "malformed-blob", "10.10")
    cipher, file = Cipher(blob[:16], unb64(descriptor["key"])), b""
    for number, start in enumerate(range(HEADER, len(blob), RECORD)):
        record, is_last = blob[start:start + RECORD], start + RECORD >= len(blob)
        try:
            plaintext = cipher.aead.decrypt(cipher.nonce(number), record, None).rstrip(b"\0")
        except InvalidTag as error:
            raise LeftOut("not-authentic", "10.11") from error
        need(plaintext[-1:] == (b"\2" if is_last else b"\1"), "malformed-blob", "10.12")
        file += plaintext[:-1]
    need(hmac.compare_digest(hashlib.sha256(blob).digest(), unb64(descriptor["sha256"])), "wrong-digest", "10.13")
    return file


def seal_blob(file, key, salt):
    room, cipher, blob = RECORD - 17, Cipher(salt, key), salt + RECORD.to_bytes(4, "big") + b"\0"
    parts = [file[i:i + room] for i in range(0, len(file), room)] or [b""]
    for number, part in enumerate(parts):
        delimiter = b"\2" if number == len(parts) - 1 else b"\1"
        blob += cipher.aead.encrypt(cipher.nonce(number), part + delimiter, None)
    return blob


def describe_blob(blob, key, url, kind):
    return {"url": url, "key": b64(key), "sha256": b64(hashlib.sha256(blob).digest()), "size": len(blob), "type": kind}
