"""Signed key sets by FORMAT.md, section 11: what a backend accepts, what a device answers, and how both sign.

Sets and registrations are read by `sealedpush` of Examples/python.

Numbers in square brackets are the rules of that document. `None` as a topic means a reader for any app, as a challenge a
reader that gave none, and as an audience a reader that is not a backend.
"""
from dataclasses import replace as replace_in

from statements import is_one
from sealed_push import (PROOF_REQUEST, Degraded, b64, compact, open as open_message, private_key, strict_json,
                         thumbprint, unb64)
from sealedpush.errors import Refused, need
from sealedpush.keys import SECRET, public_keys, suite_of
from sealedpush.registrations import (ENROLMENT, MOST_PERSONS, REPEATED, Proven, Registration, need_unique, owned,
                                      read_lines as read_file, read_outer, to_prove, token_of)
from sealedpush.signed import TYPE, as_bytes, is_name, is_proof, pinned, read_device, read_sender

LONGEST_ENROLMENT = 32_768
REQUEST = {"v", "audience", "identity", "proof"}


def line_of(registration):
    claims = registration.signed.claims
    told = {name: claims[name] for name in REPEATED if name in claims}
    own, proven = {}, registration.proven
    if registration.persons:
        own = {"person": registration.persons[0]} if len(registration.persons) == 1 else {
            "persons": list(registration.persons)}
    if registration.name is not None:
        own |= {"registration": registration.name, "identity": registration.identity}
        if registration.pending or proven != whole_of(registration.signed):
            own["proven"] = proven and {"keys": proven.signed.text, "kids": list(proven.kids), "token": proven.has_token}
    if registration.pending:
        proof, proves_token, kid = registration.pending
        own["pending"] = {"proof": proof, "token": proves_token}
        if kid != to_prove(registration.signed.active_kids, proven):
            own["pending"]["kid"] = kid
        if registration.is_claim:
            own["pending"]["claim"] = True
    return compact({"v": 1, **told, "keys": registration.signed.text, **own})


def usable(signed, lacks):
    """The active keys whose suites the backend has."""
    return tuple(kid for kid in signed.active_kids if suite_of(signed.keys[kid]).name not in lacks)


def request_of(registration):
    """The T of the key to prove, and the request to seal to it; None if nothing is pending."""
    if not registration.pending:
        return None
    return registration.pending[2], compact({"v": 1, "audience": registration.signed.claims["audience"],
                           "identity": registration.identity, "proof": registration.pending[0]})


def whole_of(signed):
    return Proven(signed, signed.active_kids, True)


# --- sets of senders

def replace(at_hand, text, roots, topic):
    """[11.9] The senders' set after a text arrived at a device that has another text or None, and whether it is a new one."""
    new = read_sender(text, roots, topic)
    try:
        old = None if at_hand is None else read_sender(at_hand, roots, topic)
    except Refused:
        old = None
    if old is not None:
        need(new.claims["serial"] >= old.claims["serial"], "older-serial", "11.9")
        need(new.claims["serial"] > old.claims["serial"] or new.text == old.text, "same-serial", "11.9")
    return new, old is None or new.text != old.text


# --- enrolments and registrations

def read_enrolment(text, topic=None, challenge=None, audience=None, services=("apns",)):
    new = read_outer(as_bytes(text), LONGEST_ENROLMENT, ENROLMENT, topic, services)
    need(audience is None or new.signed.claims.get("audience") == audience, "other-audience", "11.13")
    need(challenge is None or new.signed.claims.get("challenge") == challenge, "wrong-challenge", "11.13")
    return new


def claimed(signed):
    """Identity, tokens and key IDs of an enrolment."""
    return {signed.signer}, {token_of(signed)}, {unb64(t)[:8] for t in public_keys(signed.claims["keys"])}


def all_owned(registrations):
    """Everything that these have proven, together."""
    parts = [owned(None), *(owned(registration.proven) for registration in registrations)]
    return tuple(set().union(*each) for each in zip(*parts))


def accept(lines, name, text, audience, proof, topic=None, challenge=None, key_alone=False,
           lacks=(), person=None, joins=False, services=("apns",)):
    """[11.14] to [11.24] Accepts an enrolment under a name; returns the change, all registrations, and the one of this name.

    `proof` is the proof that the backend asks for next, `lacks` the suites that its system lacks. `challenge` is what the
    backend gave to a fresh login for this name: the enrolment is a claim then. `person` is the login's; with `joins` the
    challenge joins the registration's persons, and otherwise it replaces them.
    """
    if not is_name(name):
        raise ValueError("no name of a registration")
    signed = read_enrolment(text, topic, challenge, audience, services).signed
    kept = read_file(lines, services)
    old = last_of_name = next((one for one in kept if one.name == name), None)
    others = [one for one in kept if one.name != name]
    if challenge is not None and old is not None and old.identity != signed.signer:
        old = None  # [11.22]
    if old is not None:
        last, claims = old.signed, signed.claims
        need(signed.signer == last.signer, "other-identity", "11.14")
        need(claims["topic"] == last.claims["topic"], "other-topic", "11.14")
        need(claims["serial"] >= last.claims["serial"], "older-serial", "11.15")
        need(claims["serial"] > last.claims["serial"] or signed.text == last.text, "same-serial", "11.15")
    rival = next((one for one in others if one.proven and one.identity == signed.signer), None)
    if challenge is not None and rival is not None:
        need(signed.claims["serial"] > rival.signed.claims["serial"], "older-serial", "11.22")
    persons = persons_of(last_of_name)
    if challenge is not None and person is not None:
        if joins:
            need(last_of_name is None or old is not None or set(persons) == {person}, "other-identity", "11.24")
            need(rival is None, "identity-in-use", "11.24")
        persons = tuple(sorted({person, *(persons if joins else ())}, key=str.encode))
        need(len(persons) <= MOST_PERSONS, "too-many-persons", "11.24")
    identities, tokens, ids = claimed(signed)
    if key_alone:
        need_unique((identities, tokens, ids), all_owned(others))
    elif challenge is None and not (old and old.is_claim):
        need_unique((identities, set() if old else tokens, ids), all_owned(others))
    if challenge is not None and rival is not None and is_same_phone(signed, rival):
        new = Registration(name, signed.signer, signed, whole_of(signed))  # [11.23]
    else:
        new = settle(old or Registration(name, signed.signer, signed), signed, proof, not key_alone, lacks)
        new = replace_in(new, is_claim=bool(new.pending) and (challenge is not None or bool(old and old.is_claim)))
    new = replace_in(new, persons=persons)
    after = [new if one.name == name else one for one in kept] + ([] if last_of_name else [new])
    if new.proven and new.proven != (old and old.proven):
        after = [one if one.name == name else yielding(one, new) for one in after if not is_over(one, new)]
    change = ("pending" if new.pending else "registered" if not old or not old.proven
              else "unchanged" if new == old else "updated")
    return change, [line_of(one) for one in after], new


def persons_of(registration):
    return registration.persons if registration else ()


def leave(lines, name, person, services=("apns",)):
    """The lines after a person has left a registration, which is removed if nobody else is left."""
    def rest(one):
        return replace_in(one, persons=tuple(each for each in one.persons if one.name != name or each != person))
    kept = [(one, rest(one)) for one in read_file(lines, services)]
    return [line_of(new) for old, new in kept if new.persons or not old.persons]


def is_same_phone(signed, other):
    """[11.23] Whether another registration has proven all that an enrolment of its identity has to prove."""
    return (other.proven.has_token and place(signed) == place(other.proven.signed)
            and set(signed.active_kids) <= set(other.proven.kids))


def place(signed):
    return [signed.claims.get(name) for name in REPEATED]


def settle(old, signed, proof, proves_token, lacks):
    """[11.18]"""
    kids, known = signed.active_kids, old.proven.kids if old.proven else ()
    repeated = (old.pending is not None and old.pending[1] == proves_token and place(signed) == place(old.signed)
                and kids == old.signed.active_kids)
    answered = repeated and signed.claims.get("proof") == old.pending[0]
    if answered:
        known = (*known, old.pending[2])
    has_token = (answered and proves_token
                 or bool(old.proven and old.proven.has_token and place(old.proven.signed) == place(signed)))
    mine = tuple(kid for kid in kids if kid in known)
    proven, pending = old.proven, old.pending
    whole = bool(mine) and set(usable(signed, lacks)) <= set(mine)
    good = (whole or answered) and (has_token or not proves_token)
    if good:
        proven = Proven(signed, mine, has_token)
    left = usable(signed, lacks)
    if good and whole:
        pending = None
    elif answered or not repeated or left and old.pending[2] not in left:
        pending = proof, proves_token, to_prove(left or kids, proven)
    return Registration(old.name, signed.signer, signed, proven, pending)


def is_over(one, winner):
    """[11.18] Whether a registration is removed because another one has proven its identity."""
    return one.name != winner.name and one.identity == winner.identity and one.proven is not None


def yielding(one, winner):
    """[11.18] The rest of a registration after another one has proven something."""
    identities, tokens, ids = owned(winner.proven)
    proven = one.proven
    if proven and (token_of(proven.signed) in tokens or {unb64(kid)[:8] for kid in proven.kids} & ids):
        one = replace_in(one, proven=None)
    active_ids = {unb64(kid)[:8] for kid in one.signed.active_kids}
    if one.identity in identities or token_of(one.signed) in tokens or active_ids & ids:
        one = replace_in(one, pending=None, is_claim=False)
    return one


# --- proof requests

def read_request(content):
    """[11.19] The request in a message of content type 7; ValueError if it is not a request."""
    request = strict_json(content)
    if not isinstance(request, dict) or request.keys() != REQUEST or not is_one(request["v"]):
        raise ValueError("no request")
    if not is_name(request["audience"]) or not is_proof(request["proof"]):
        raise ValueError("no audience, or no proof")
    if not isinstance(request["identity"], str) or len(unb64(request["identity"])) != 32:
        raise ValueError("no identity")
    return request


def open_request(payload, device_jwks, sender_jwks, topic, now):
    """The request in a background push, and the T of the key that opened it; `Degraded` if it is not one."""
    said = []

    def read(content, _):
        try:
            said.append(read_request(content))
        except ValueError as error:
            raise Degraded("malformed-content", "11.19") from error
    opened = open_message(payload, device_jwks, sender_jwks, topic, now, accepts_anonymous=True, expects=PROOF_REQUEST,
                          read=read)
    return said[0], b64(thumbprint(opened.recipient))


def need_answer(request, kid, audience, identity, active):
    """[11.20] A device's checks before it answers a request that one of its keys has opened."""
    need(request["audience"] == audience, "other-audience", "11.20")
    need(request["identity"] == identity, "other-identity", "11.20")
    need(kid in active, "inactive-key", "11.20")


# --- signing

def public_half(jwks, statuses=("active", "accepted", "next")):
    """A private set's public half; for a device, pass `("active",)` only. The next key becomes an accepted one."""
    keys = [{name: value for name, value in jwk.items() if name not in SECRET} for jwk in jwks["keys"]
            if jwk.get("status", "active") in statuses]
    return {"v": 1, "keys": [{**jwk, "status": "accepted"} if jwk.get("status") == "next" else jwk for jwk in keys]}


def sign(header, payload, signing_jwk):
    """The compact form of any payload, JSON or bytes, so that tests can give a reader one that it must refuse."""
    parts = [part if isinstance(part, bytes) else compact(part).encode() for part in (header, payload)]
    signed = ".".join(map(b64, parts))
    return f"{signed}.{b64(private_key(signing_jwk).sign(signed.encode('ascii')))}"


def header_of_root(root_jwk):
    return {"alg": "EdDSA", "typ": TYPE, "kid": b64(thumbprint(root_jwk))}


def header_of_identity(identity_jwk):
    return {"alg": "EdDSA", "typ": TYPE, "jwk": {name: identity_jwk[name] for name in ("crv", "kty", "x")}}


def sign_senders(root_jwk, topic, serial, issued_at, ends_at, keys):
    claims = {"v": 1, "topic": topic, "serial": serial, "iat": issued_at, "exp": ends_at, "keys": keys}
    text = sign(header_of_root(root_jwk), claims, root_jwk)
    read_sender(text, {b64(thumbprint(root_jwk)): root_jwk}, topic)
    return text


def enrol(identity_jwk, topic, serial, issued_at, environment, token, keys, audience, challenge=None, proof=None):
    """An enrolment's text."""
    asked = {name: text for name, text in (("audience", audience), ("challenge", challenge), ("proof", proof))
             if text is not None}
    claims = {"v": 1, "topic": topic, "serial": serial, "iat": issued_at, "environment": environment, "token": token,
              **asked, "keys": keys}
    signed = read_device(sign(header_of_identity(identity_jwk), claims, identity_jwk), topic)
    return line_of(Registration(None, None, signed))
