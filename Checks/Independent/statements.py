"""What an identity signs besides its keys: receipts and other tokens by FORMAT.md, [11.31] to [11.37].

Numbers in square brackets are the rules of that document. Leaves are in Examples/python.
"""
import re
import uuid
from dataclasses import dataclass

import examples  # where sealedpush is
from sealedpush.errors import need
from sealedpush.keys import is_whole
from sealedpush.registrations import within
from sealedpush.signed import CONTROL, ENVIRONMENTS, TOKENS, as_bytes, is_name, is_topic, json_object, open_jws

LONGEST, MOST_MESSAGES, MOST_TOKENS = 32_768, 500, 32
# The uses of tokens, whether each has a name, and the type of the pushes.
USES = {"voip": (False, "voip"), "complication": (False, "complication"), "pushtotalk": (False, "pushtotalk"),
        "start": (True, "liveactivity"), "activity": (True, "liveactivity")}


@dataclass(frozen=True)
class Statement:
    identity: str  # the thumbprint of the key that signed it
    claims: dict
    text: str      # the JWS


def is_one(value):
    return type(value) is int and value == 1


def is_message_id(value):
    try:
        return isinstance(value, str) and str(uuid.UUID(value)) == value
    except ValueError:
        return False


# --- receipts

def read_receipt(raw, audience, topic):
    """[11.31], [11.32] Any topic is good if none is given."""
    bad = "malformed-receipt"
    need(len(raw) <= LONGEST, "too-large", "11.31")
    outer = json_object(raw, bad, "11.31")
    need(is_one(outer.get("v")), "unsupported-version", "11.31")
    need(isinstance(outer.get("receipt"), str), bad, "11.31")
    need(len(outer) == 2, bad, "11.31")
    signer, payload = within("11.32", open_jws, as_bytes(outer["receipt"]), "sealed-push-receipt+jws", None)
    bad, claims = "malformed-claims", json_object(payload, "malformed-claims", "11.32")
    need(is_one(claims.get("v")), "unsupported-version", "11.32")
    need(is_topic(claims.get("topic")), bad, "11.32")
    need(is_whole(claims.get("iat")), bad, "11.32")
    need(is_name(claims.get("audience")), bad, "11.32")
    messages = claims.get("messages")
    need(isinstance(messages, list), bad, "11.32")
    need(1 <= len(messages) <= MOST_MESSAGES, bad, "11.32")
    need(all(map(is_message_id, messages)), bad, "11.32")
    need(len(set(messages)) == len(messages), bad, "11.32")
    need(topic is None or claims["topic"] == topic, "other-topic", "11.32")
    need(claims["audience"] == audience, "other-audience", "11.32")
    return Statement(signer, claims, outer["receipt"])


def shown_by(receipt, sent):
    """[11.33] The messages that were shown; `sent` has the identities to which each message was sealed."""
    return [message for message in receipt.claims["messages"] if receipt.identity in sent.get(message, ())]


# --- other tokens

def read_tokens(raw, audience, topic):
    """[11.34] to [11.36] Any topic is good if none is given."""
    bad = "malformed-tokens"
    need(len(raw) <= LONGEST, "too-large", "11.34")
    outer = json_object(raw, bad, "11.34")
    need(is_one(outer.get("v")), "unsupported-version", "11.34")
    need(isinstance(outer.get("tokens"), str), bad, "11.34")
    need(len(outer) == 2, bad, "11.34")
    signer, payload = within("11.35", open_jws, as_bytes(outer["tokens"]), "sealed-push-tokens+jws", None)
    bad, claims = "malformed-claims", json_object(payload, "malformed-claims", "11.36")
    need(is_one(claims.get("v")), "unsupported-version", "11.36")
    need(is_topic(claims.get("topic")), bad, "11.36")
    need(claims.get("environment") in ENVIRONMENTS, bad, "11.36")
    need(is_whole(claims.get("serial"), 1), bad, "11.36")
    need(is_whole(claims.get("iat")), bad, "11.36")
    need(is_name(claims.get("audience")), bad, "11.36")
    entries = claims.get("tokens")
    need(isinstance(entries, list), bad, "11.36")
    need(len(entries) <= MOST_TOKENS, bad, "11.36")
    for entry in entries:
        need(isinstance(entry, dict), bad, "11.36")
        need(isinstance(entry.get("use"), str), bad, "11.36")
        need(isinstance(entry.get("token"), str), bad, "11.36")
        need(isinstance(entry.get("name", ""), str), bad, "11.36")
        need(TOKENS["apns"].fullmatch(entry["token"]), bad, "11.36")
    known = [entry for entry in entries if entry["use"] in USES]
    for entry in known:
        need(("name" in entry) == USES[entry["use"]][0], bad, "11.36")
        need(is_token_name(entry.get("name", "none")), bad, "11.36")
    names = [(entry["use"], entry.get("name")) for entry in known]
    need(len(set(names)) == len(names), bad, "11.36")
    places = [place_of(entry) for entry in known]
    need(len(set(places)) == len(places), bad, "11.36")
    need(topic is None or claims["topic"] == topic, "other-topic", "11.36")
    need(claims["audience"] == audience, "other-audience", "11.36")
    return Statement(signer, {**claims, "tokens": known}, outer["tokens"])


def is_token_name(name):
    return 1 <= len(name.encode()) <= 128 and not CONTROL.search(name)


def place_of(entry):
    """The type of pushes, and the token."""
    return USES[entry["use"]][1], entry["token"]


def take_tokens(tokens, registrations, before):
    """[11.37] The registration whose tokens they are, and whether something changes. `before` has the last Statement of each
    identity."""
    own = next((one for one in registrations if one.proven and one.identity == tokens.identity), None)
    need(own is not None, "not-registered", "11.37")
    said, claims = own.proven.signed.claims, tokens.claims
    need(said["topic"] == claims["topic"], "other-topic", "11.37")
    need(said["environment"] == claims["environment"], "mismatch", "11.37")
    last = before.get(tokens.identity)
    if last is not None:
        need(claims["serial"] >= last.claims["serial"], "older-serial", "11.37")
        need(claims["serial"] > last.claims["serial"] or tokens.text == last.text, "same-serial", "11.37")
        if tokens.text == last.text:
            return own, False
    places = set(map(place_of, claims["tokens"]))
    for other in registrations:
        theirs = before.get(other.identity)
        if other is own or not other.proven or theirs is None:
            continue
        need(not places & set(map(place_of, theirs.claims["tokens"])) or any(
            theirs.claims[name] != claims[name] for name in ("topic", "environment")), "token-in-use", "11.37")
    return own, True
