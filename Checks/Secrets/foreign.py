"""Other systems' secrets, and payloads under them."""
import base64, json, secrets

import other_formats
from sealed_push import b64, unb64
from forms import Canary


class Foreign:
    """The part of a stage that belongs to other systems."""

    def formats(self):
        """Other systems' secrets and payloads; `FORMAT.secret` and `FORMAT.json`."""
        key = lambda name, size=32: self.secret(f"{name}'s key", secrets.token_bytes(size))
        line = lambda name: self.secret(f"{name}'s secret", secrets.token_hex(16).encode()).decode()
        plaintext = self.text("plaintext").encode()
        web = {"privateKey": b64(key("webpush")), "auth": b64(key("webpush auth", 16)), "carriage": "z85"}
        public = other_formats.public_bytes(other_formats.p256(unb64(web["privateKey"])))
        subscription = {"private_key": web["privateKey"], "p256dh": b64(public), "auth": web["auth"]}
        box, zulip = key("box"), key("zulip")
        password, bark = line("openssl"), line("bark")
        hook = self.secret("hook", secrets.token_hex(32).encode()).decode()
        salted = {"password": password, "digest": "sha256", "iterations": 10000}
        self.canaries["hook's key"] = Canary("hook's key", bytes.fromhex(hook))
        salt, random = secrets.token_bytes(8), secrets.token_bytes(48)
        self.secret("openssl's derived", b"".join(other_formats.salted_key(salted, salt)))
        for format, secret, members in (
                ("openssl-salted", password, other_formats.seal_salted(salted, plaintext, salt)),
                ("bark", bark, other_formats.seal_bark({"key": bark, "mode": "gcm"}, plaintext, b"123456789012")
                 | {"iv": "123456789012"}),
                ("webpush-aes128gcm", subscription, other_formats.seal_standard(web, plaintext, random, 500)),
                ("webpush-aesgcm", subscription, other_formats.seal_draft(web, plaintext, random, 500)),
                ("sodium-sealed-box", base64.b64encode(box).decode(), other_formats.seal_sealed_box(
                    {"privateKey": b64(box)}, plaintext, random[:32])),
                ("zulip", {"push_key_id": 7, "push_key": base64.b64encode(b"1" + zulip).decode()},
                 other_formats.seal_secret_box(zulip, plaintext, random[:24]) | {"push_key_id": 7}),
                ("home-assistant", hook, other_formats.seal_secret_box(bytes.fromhex(hook), plaintext, random[:24])
                 | {"encrypted": True, "webhook_id": "w"})):
            text = secret if isinstance(secret, str) else json.dumps(secret)
            self.write(f"{format}.secret", text + "\n")
            self.write(f"{format}.torn.secret", text[:-3] + "\n" + text)
            payload = {"aps": {"alert": {"title": "New", "body": "(Encrypted)"}, "mutable-content": 1}} | members
            self.write(f"{format}.json", json.dumps(payload))
            # A text of the same length with other bytes.
            bent = {name: value[:-12] + value[-12:][::-1] if isinstance(value, str) and len(value) > 40 else value
                    for name, value in members.items()}
            self.write(f"{format}.bent.json", json.dumps(payload | bent))
        self.write("plaintext", plaintext)
        self.write("box.public", base64.b64encode(
            other_formats.nacl.bindings.crypto_scalarmult_base(box)).decode() + "\n")
