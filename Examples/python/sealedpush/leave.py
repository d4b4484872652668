"""Leaves, by which devices sign out: FORMAT.md, [11.25] to [11.27]. Its rules are the numbers in square brackets."""
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import need
from .keys import is_whole
from .registrations import Registration, within
from .signed import as_bytes, is_name, is_topic, json_object, open_jws

TYPE = "sealed-push-leave+jws"
LONGEST = 32_768


@dataclass(frozen=True, slots=True)
class Leave:
    """What a device signs before its keys are destroyed."""

    identity: str  # the thumbprint of the key that signed it
    topic: str
    audience: str
    serial: int
    issued_at: int
    text: str      # the JWS

    @classmethod
    def parse(cls, text: str | bytes, audience: str, topic: str | None = None) -> "Leave":
        """A leave as the app sends it; `audience` is the backend's own name. `Refused` if one rule is broken."""
        return read_leave(as_bytes(text), audience, topic)

    def names(self, registered: Mapping[str, Registration]) -> list[str]:
        """The names of the registrations that it removes, as `read_registrations` gives them. `Refused` by [11.27].

        It is empty if nobody has the identity: the leave has arrived before. Remove the lines with these names.
        """
        serials = {name: one.signed.claims["serial"] for name, one in registered.items()
                   if one.identity == self.identity and one.signed.claims["topic"] == self.topic}
        known = any(one.identity == self.identity for one in registered.values())
        need(bool(serials) or not known, "other-topic", "11.27")
        older = [name for name, serial in serials.items() if serial < self.serial]
        need(bool(older) or not serials, "older-serial", "11.27")
        return older


def read_leave(raw: bytes, audience: str | None, topic: str | None) -> Leave:
    """[11.25] and [11.26]. Any audience is good if none is given, and any topic."""
    bad = "malformed-leave"
    need(len(raw) <= LONGEST, "too-large", "11.25")
    outer = json_object(raw, bad, "11.25")
    need(outer.get("v") == 1 and is_whole(outer["v"]), "unsupported-version", "11.25")
    need(outer.keys() == {"v", "leave"} and isinstance(outer["leave"], str), bad, "11.25")
    signer, payload = within("11.26", open_jws, as_bytes(outer["leave"]), TYPE, None)
    claims: dict[str, Any] = json_object(payload, "malformed-claims", "11.26")
    need(claims.get("v") == 1 and is_whole(claims["v"]), "unsupported-version", "11.26")
    need(is_topic(claims.get("topic")) and is_whole(claims.get("serial"), 1) and is_whole(claims.get("iat"))
         and is_name(claims.get("audience")), "malformed-claims", "11.26")
    need(topic is None or claims["topic"] == topic, "other-topic", "11.26")
    need(audience is None or claims["audience"] == audience, "other-audience", "11.26")
    return Leave(signer, claims["topic"], claims["audience"], claims["serial"], claims["iat"], outer["leave"])
