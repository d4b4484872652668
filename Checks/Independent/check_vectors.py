"""python3 check_vectors.py [DIR]: opens the vectors of Vectors/ with sealed_push.py and compares everything.

It also seals every positive vector again from its `ikmE` with base_mode.py (RFC 9180 from HMAC), which must give the same
envelope: so two HPKEs that share no code agree with the one that made the vectors. It opens blobs, and seals a sealer's
blobs again, with attachments_format.py. It reads signed sets, and signs valid ones again from their header and payload,
with signed_sets.py. It opens other systems' envelopes, and seals them again, with other_formats.py.
"""
import hashlib, json, pathlib, sys, uuid

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

import attachments_format as af
from memory import Memory
import other_formats as of
import sealed_push as sp
import signed_sets as ss
import statements as st
from base_mode import encapsulate_again, mac
from sealedpush import account_tag, keys as sealed_keys
from sealedpush.hpke import extract_and_expand, seal
from sealedpush.errors import need
from sealedpush.leave import Leave

# A reason that keys and bytes alone cannot show: it depends on the extension's time.
NOT_VISIBLE = ("deadline",)
# The lists of each file, with the least number of vectors.
ENOUGH = {"opened.json": {"vectors": 20}, "degraded.json": {"vectors": 40}, "data.json": {"vectors": 15},
          "push-types.json": {"vectors": 20},
          "attachments.json": {"members": 15, "descriptors": 60, "addresses": 200, "blobs": 30},
          "shared.json": {"thumbprints": 4, "opened": 20, "degraded": 30, "data": 4},
          "memory.json": {"vectors": 40}, "callers.json": {"vectors": 25}, "sets.json": {"sets": 35},
          "signed.json": {"senders": 100, "enrolments": 100, "registrations": 160, "leaves": 100, "messages": 8,
                          "receipts": 120, "tokens": 150, "requests": 30},
          "edges.json": {"opened": 35, "degraded": 35}, "formats.json": {"vectors": 250},
          "accounts.json": {"tags": 5, "opened": 15, "degraded": 15, "data": 8},
          "fcm.json": {"opened": 18, "degraded": 15, "data": 8, "senders": 3, "enrolments": 60, "registrations": 25},
          "xwing.json": {"sets": 45, "opened": 20, "degraded": 60, "data": 6, "enrolments": 7, "registrations": 12}}


def same_json(a, b):
    """Equal as JSON: 1 is not true, 1 is 1.0, integers are exact."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_json(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    return type(a) is type(b) and a == b


# --- HKDF (RFC 5869), from HMAC-SHA-256 alone

def hkdf(salt, key, info, length):
    prk, block, output = mac(salt, key), b"", b""
    for number in range(1, -(-length // 32) + 1):
        block = mac(prk, block + info + bytes([number]))
        output += block
    return output[:length]


def seal_shared(key, salt, info, plaintext):
    okm = hkdf(salt, key, info, 76)
    return salt + okm[:32], ChaCha20Poly1305(okm[32:64]).encrypt(okm[64:], plaintext, b"")


# --- the vectors

def shown_differs(vector, result):
    """The members of the vector's `shown` that differ. null and "absent" are the same; in userInfo, a null would be a
    member that should have been dropped."""
    ours, theirs = sp.shown(vector["payload"], result), vector["shown"]
    wrong = [f"shown.{n} is unknown to this program" for n in theirs.keys() - ours.keys()]
    for name, value in ours.items():
        absent = {"userInfo": {}, "sound": None, "badge": None, "targetContentIdentifier": None}.get(name, "")
        stated = absent if theirs.get(name) is None else theirs[name]
        if not same_json(value, stated):
            wrong.append(f"shown.{name}: {value!r} here, {stated!r} in the vector")
    return wrong


def open_vector(vector, keys, suites, anonymous, memory=None, expects=sp.NOTIFICATION):
    memory = Memory() if memory is None else memory
    device = None if vector.get("locked") else keys["device"]
    arguments = (device, keys["sender"], vector["topic"], vector["now"], suites, anonymous)
    expected = dict(memory=memory, expects=expects, push_type=vector.get("pushType", "alert"),
                    lacks=vector.get("lacks", sp.LACKING), accounts=vector.get("accounts"))
    if vector.get("after") is not None and not memory:
        sp.open(vector["after"], *arguments, **expected)
    return sp.open(vector["payload"], *arguments, **expected)


def expected_type(vector):
    """The type that the app expects: a notification among the data is in place of a background push."""
    content_type = sp.PUSH_TYPES[vector["pushType"]][0]
    return sp.BACKGROUND if content_type == sp.NOTIFICATION else content_type


def check_opened(vector, keys):
    if vector["expect"] != "opened":
        return ["a positive vector does not expect \"opened\""]
    try:
        opened = open_vector(vector, keys, tuple(sp.SUITES), True)
    except sp.Degraded as degraded:
        return [f"not opened: {degraded}"]
    wrong = [] if opened.duplicate == vector.get("duplicate", False) else ["a duplicate, or none"]
    return wrong + opened_differs(vector, opened, keys) + shown_differs(vector, opened)


def check_data(vector, keys):
    expected, memory, content_type = (vector["expect"], vector.get("rule")), Memory(), expected_type(vector)
    try:
        opened = open_vector(vector, keys, tuple(sp.SUITES), True, memory, content_type)
    except sp.Degraded as degraded:
        found = (degraded.reason, degraded.rule)
        return [] if found == expected else [f"{found} here, {expected} in the vector"]
    if expected != ("opened", None):
        return [f"opened here, {expected} in the vector"]
    wrong = opened_differs(vector, opened, keys)
    if sp.PUSH_TYPES[vector["pushType"]][:2] != (content_type, vector["limit"]):
        wrong.append(f"limit {vector['limit']}, or no push type of data")
    if vector["padding"] != "other" and not has_skeleton(vector, opened):  # another sealer's skeleton may differ
        wrong.append(f"another skeleton than that of {vector['pushType']}")
    again = open_vector(vector, keys, tuple(sp.SUITES), True, memory, content_type)
    if again.duplicate != (content_type != sp.LIVE_ACTIVITY) or bool(memory) != again.duplicate:
        wrong.append("what runs once was not remembered, or a Live Activity's state was")
    for other in set(range(1, 7)) - {content_type}:
        try:
            open_vector(vector, keys, tuple(sp.SUITES), True, expects=other)
            wrong.append(f"it opens as content type {other}")
        except sp.Degraded as degraded:
            wrong += [] if degraded.rule == "5.3" else [f"as content type {other}: {degraded}"]
    return wrong


def has_skeleton(vector, opened):
    """Whether everything around the envelope fits the push type and, in a Live Activity, the content."""
    envelope = sp.holder(vector["payload"], vector["pushType"])[sp.ENVELOPE_KEY]
    if vector["pushType"] != "liveactivity":
        skeleton = sp.PUSH_TYPES[vector["pushType"]][2]
        return vector["payload"] == sp.compact({**skeleton, sp.ENVELOPE_KEY: envelope})
    content = sp.strict_json(opened.content_text.encode())
    for sound in (True, False):
        wanted = sp.live_activity(content, sound)
        wanted["aps"]["content-state"][sp.ENVELOPE_KEY] = envelope
        # The members in this order and unchanged: the same literals of numbers, no white space.
        if vector["payload"] == sp.compact(wanted):
            return True
    return False


def opened_differs(vector, opened, keys):
    """The differences of a message and its envelope from the vector, apart from `shown`."""
    suite, wrong = sp.SUITES[vector["suite"]], []

    def expect(what, here, stated):
        if here != stated:
            wrong.append(f"{what}: {here!r} here, {stated!r} in the vector")
    expect("content", opened.content_text, vector["content"])
    expect("suite", opened.claims["suite"], suite.name)
    for name in ("issuedAt", "lifetime"):
        expect(name, opened.claims[name], vector[name])
    expect("messageID", uuid.UUID(opened.claims["messageID"]), uuid.UUID(vector["messageID"]))
    sender = next((k for k in keys["sender"]["keys"] if vector["sender"] and k["kid"] == vector["sender"]), None)
    expect("sender", opened.sender, sp.b64(sp.thumbprint(sender)) if sender else vector["sender"])

    # Section 9: the size of the payload, the padding.
    text = sp.holder(vector["payload"], vector.get("pushType", "alert"))[sp.ENVELOPE_KEY]
    whole = sp.counted(vector["payload"], vector.get("pushType", "alert"))
    room = sp.capacity(whole - len(text), suite, vector["limit"])
    fields = len(opened.plaintext.rstrip(b"\0"))
    expect("at most the limit", whole <= vector["limit"], True)
    expect("plaintext's size", len(opened.plaintext), {"other": len(opened.plaintext), "none": fields, "maximum": room, "buckets": next(
        (b for b in sp.BUCKETS if fields <= b <= room), room)}[vector["padding"]])

    # The same envelope again, from the ephemeral key or the salt.
    random = "dh" if "dh" in vector else {3: "eseed", 16: "salt"}.get(suite.id, "ikmE")
    if not vector.get(random):
        return wrong + [f"no {random}"]
    envelope, info = sp.unb64(text), sp.binding(vector["topic"], suite, opened.recipient)
    if suite.id == 16:
        enc, again = seal_shared(sp.unb64(opened.recipient["k"]), sp.unb64(vector["salt"]), info, opened.plaintext)
    elif random == "dh":
        enc = envelope[10:10 + suite.enc]
        shared = extract_and_expand(suite, bytes.fromhex(vector["dh"]), enc, sp.public_raw(opened.recipient))
        again = seal(suite, shared, info, opened.plaintext)
    else:
        top_bit = envelope[9 + suite.enc] & 0x80 if suite.id in (1, 3) else 0
        shared, enc = encapsulate_again(suite, bytes.fromhex(vector[random]), sp.public_raw(opened.recipient), top_bit)
        again = seal(suite, shared, info, opened.plaintext)
    expect("encapsulated key", envelope[10:10 + suite.enc].hex(), enc.hex())
    expect("ciphertext", envelope[10 + suite.enc:].hex(), again.hex())
    return wrong


def check_degraded(vector, keys):
    expected, accepts = vector["expect"], vector["accepts"]
    try:
        open_vector(vector, keys, tuple(accepts["suites"]), accepts["anonymous"])
        reason, rule = "opened", None
    except sp.Degraded as degraded:
        reason, rule = degraded.reason, degraded.rule
    if expected in NOT_VISIBLE:  # `shown` can still be compared
        return shown_differs(vector, expected)
    wrong = [] if reason == expected else [f"{reason} [{rule}] here, {expected} [{vector['rule']}] in the vector"]
    if reason == expected and rule != vector["rule"]:
        wrong.append(f"rule {rule} here, {vector['rule']} in the vector")
    return wrong + shown_differs(vector, expected)


def check_thumbprint(vector, _):
    try:
        found = sp.b64(sp.thumbprint({"kty": "oct", "k": vector["k"]}))
    except ValueError:
        found = None
    again = sp.b64(hkdf(b"", sp.unb64(vector["k"]), b"sealed-push v1 shared id", 32))
    wrong = [] if found == vector["kid"] else [f"{found} here, {vector['kid']} in the vector"]
    return wrong + ([] if found in (None, again) else ["two HKDFs disagree"])


def check_tag(vector, _):
    found = account_tag(vector["person"], vector["identity"])
    return [] if found == vector["tag"] else [f"{found} here, {vector['tag']} in the vector"]


def kids_of(vector):
    """The thumbprints of a public set, or of a private file of a device; None if it is refused."""
    try:
        jwks = sp.strict_json(vector["set"].encode())
        if "fill" in vector:
            jwks["keys"] += more_keys(vector["fill"])
        if vector.get("private"):
            for jwk in jwks["keys"]:
                sp.private_key(jwk)
            jwks = ss.public_half(jwks)
        keys = sealed_keys.public_keys(jwks)
        if sealed_keys.is_device_set(keys):
            sealed_keys.PublicKeySet(jwks)
        else:
            need("role" not in jwks, "invalid-keys", "3")
        return list(keys)[:len(keys) - vector.get("fill", 0)]
    except (KeyError, TypeError, ValueError, ss.Refused):
        return None


def check_set(vector, _):
    found = kids_of(vector)
    stated = vector.get("kids") if vector["expect"] == "accepted" else None
    return [] if found == stated else [f"{found} here, {stated} in the vector"]


def more_keys(count):
    """X25519 keys that are not active: each one's x is SHA-256 of its number in 4 bytes, with the top bit cleared."""
    def point(number):
        raw = hashlib.sha256(number.to_bytes(4, "big")).digest()
        return sp.b64(raw[:31] + bytes([raw[31] & 0x7f]))
    return [{"kty": "OKP", "crv": "X25519", "x": point(number), "status": "accepted"} for number in range(count)]


# --- attachments

def verdict(check, *arguments, good="accepted"):
    """(the verdict, the broken rule)"""
    try:
        check(*arguments)
        return good, None
    except af.LeftOut as fault:
        return fault.reason, fault.rule


def differs(found, vector):
    stated = (vector["expect"], vector.get("rule"))
    return [] if found == stated else [f"{found} here, {stated} in the vector"]


def check_member(vector, _):
    found = af.elements(sp.strict_json(vector["member"].encode()))
    if (found is None) != (vector.get("rule") == "10.1"):
        return [f"{'no list' if found is None else 'a list'} here, rule {vector.get('rule')} in the vector"]
    said = [verdict(af.check_descriptor, element)[0] for element in found or []]
    return [] if said == vector["expect"] else [f"{said} here, {vector['expect']} in the vector"]


def check_blob(vector, _):
    descriptor, blob = sp.strict_json(vector["descriptor"].encode()), sp.unb64(vector["blob"])
    af.check_descriptor(descriptor)
    wrong = differs(verdict(af.open_blob, blob, descriptor, good="opened"), vector)
    if wrong or vector["expect"] != "opened":
        return wrong
    repeat = vector.get("fileRepeat")
    file = bytes([repeat["byte"]]) * repeat["count"] if repeat else sp.unb64(vector["file"])
    if af.open_blob(blob, descriptor) != file:
        wrong.append("another file")
    key, salt = sp.unb64(descriptor["key"]), sp.unb64(vector["salt"])
    if blob[:16] != salt:
        wrong.append("another salt")
    again = af.seal_blob(file, key, salt)
    if (again == blob) != (vector["padding"] == "none"):
        wrong.append(f"padding {vector['padding']}, and the blob of a sealer is {'the same' if again == blob else 'another'}")
    if af.describe_blob(blob, key, descriptor["url"], descriptor["type"]) != descriptor:
        wrong.append("another descriptor")
    return wrong


# --- signed key sets

def signed_verdict(check, *arguments):
    """(the verdict, the broken rule, the rule within that), and what was read."""
    try:
        expect, result = check(*arguments)
        return (expect, None, None), result
    except ss.Refused as refused:
        return (refused.reason, refused.rule, refused.inner), None


def signed_differs(found, vector):
    stated = (vector["expect"], vector.get("rule"), vector.get("inner"))
    return [] if found == stated else [f"{found} here, {stated} in the vector"]


def good_set_differs(signed, vector, signer, file):
    """The differences of a valid set from the vector; one is that the signer does not make the same text again."""
    key = next(jwk for jwk in file["keys"].values() if jwk["kid"] == vector[signer])
    stated = {"signer": vector[signer], "serial": vector["serial"], "kids": vector["kids"], "text": signed.text}
    here = {"signer": signed.signer, "serial": signed.claims["serial"],
            "kids": list(ss.public_keys(signed.claims["keys"])),
            "text": ss.sign(vector["header"].encode(), vector["payload"].encode(), key)}
    wrong = [f"{name}: {here[name]!r} here, {stated[name]!r} in the vector" for name in here if here[name] != stated[name]]
    return wrong + ([] if signed.claims == sp.strict_json(vector["payload"].encode()) else ["another payload"])


def check_sender(vector, file):
    roots, text = ss.pinned(vector.get("pinned", file["roots"])), vector["text"] + " " * vector.get("spaces", 0)

    def replace():
        new, is_other = ss.replace(vector.get("atHand"), text, roots, vector["topic"])
        return "accepted" if is_other else "unchanged", new
    found, signed = signed_verdict(replace)
    wrong = signed_differs(found, vector)
    if wrong or signed is None:
        return wrong
    wrong += [] if signed.claims["iat"] == vector["issuedAt"] else ["another issuedAt"]
    wrong += [] if signed.claims["exp"] == vector["expiresAt"] else ["another expiresAt"]
    return wrong + good_set_differs(signed, vector, "signer", file)


def result_of(vector, file):
    """What becomes of a message to the device of keys.json, which has a signed set."""
    claims = ss.read_sender(vector["text"], ss.pinned(file["roots"]), vector["topic"]).claims
    sp.open(vector["payload"], file["device"], claims["keys"], vector["topic"], vector["now"], accepts_anonymous=True,
            senders_end=claims["exp"])
    return "opened"


def check_set_message(vector, file):
    try:
        found = (result_of(vector, file), None)
    except sp.Degraded as degraded:
        found = (degraded.reason, degraded.rule)
    return differs(found, vector)


def services_of(vector):
    """What the backend delivers through."""
    return vector.get("services", ["apns"])


def check_enrolment(vector, file):
    text = vector["enrolment"] + " " * vector.get("spaces", 0)
    found, enrolment = signed_verdict(
        lambda: ("accepted", ss.read_enrolment(
            text, vector["topic"], vector.get("challenge"), vector["audience"], services_of(vector))))
    wrong = signed_differs(found, vector)
    if wrong or enrolment is None:
        return wrong
    again = ss.read_enrolment(ss.line_of(enrolment), vector["topic"], services=services_of(vector))
    return (good_set_differs(enrolment.signed, vector, "identity", file)
            + ([] if again == enrolment else ["written and read, it is another"]))


def check_registration(vector, _):
    lines = list(vector["lines"])
    if "spaces" in vector:
        lines[-1] += " " * vector["spaces"]
    request = None
    if "name" in vector:
        def accept():
            nonlocal request
            change, after, new = ss.accept(lines, vector["name"], vector["enrolment"], vector["audience"],
                                           vector["proof"], challenge=vector.get("challenge"),
                                           key_alone=vector.get("keyAlone", False), lacks=vector.get("lacks", ()),
                                           person=vector.get("person"), joins=vector.get("joins", False),
                                           services=services_of(vector))
            request = ss.request_of(new)
            return change, after
        found, after = signed_verdict(accept)
    else:
        found, after = signed_verdict(lambda: ("read", [ss.line_of(one) for one in ss.read_file(lines, services_of(vector))]))
    wrong = signed_differs(found, vector)
    if wrong or after is None:
        return wrong
    parsed = [[sp.strict_json(line.encode()) for line in some] for some in (after, vector["after"])]
    stated = vector.get("request") and (vector["request"]["kid"], vector["request"]["content"])
    for each in ss.read_file(after, services_of(vector)):
        some, before = after, len(after)
        for person in each.persons:  # the last one takes the registration along
            wrong += [] if len(some) == before else [f"{each.name} is gone before {person} leaves"]
            some = ss.leave(some, each.name, person, services_of(vector))
        wrong += [] if len(some) == before - bool(each.persons) else [f"{each.name} is there without persons"]
    return wrong + ([] if same_json(*parsed) else [f"{after} here, {vector['after']} in the vector"]) + (
        [] if request == stated else [f"asked: {request} here, {stated} in the vector"])


def check_leave(vector, file):
    text = vector["leave"] + " " * vector.get("spaces", 0)

    def take():
        leave = Leave.parse(text, vector["audience"], vector["topic"])
        before = {one.name: one for one in ss.read_file(vector["lines"])}
        gone = leave.names(before)
        after = [ss.line_of(one) for name, one in before.items() if name not in gone]
        return "removed" if gone else "unchanged", (leave, after)
    found, said = signed_verdict(take)
    wrong = signed_differs(found, vector)
    if wrong or said is None:
        return wrong
    (leave, after), header = said, vector["header"]
    parsed = [[sp.strict_json(line.encode()) for line in some] for some in (after, vector["after"])]
    signer = next(jwk for jwk in file["keys"].values() if jwk["kid"] == vector["identity"])
    signed = ss.sign(header.encode(), vector["payload"].encode(), signer)
    return ([] if same_json(*parsed) else ["another file afterwards"]) + (
        [] if (leave.identity, leave.serial) == (vector["identity"], vector["serial"]) else ["another leave"]) + (
        [] if signed == leave.text else ["signed anew, it is another"])


def check_statement(vector, file, member, take):
    """A receipt, or a device's other tokens; `take` gives what comes of it."""
    raw = (vector[member] + " " * vector.get("spaces", 0)).encode()
    found, said = signed_verdict(lambda: take(raw, vector["audience"], vector["topic"]))
    if said is not None and len(said[1].get("shown", ())) < len(said[0].claims.get("messages", ())):
        found = (found[0], "11.33", None)  # some are passed over
    wrong = signed_differs(found, vector)
    if wrong or said is None:
        return wrong
    statement, result = said
    signer = next(jwk for jwk in file["keys"].values() if jwk["kid"] == vector["identity"])
    here = {**result, "identity": statement.identity,
            member: ss.sign(vector["header"].encode(), vector["payload"].encode(), signer)}
    stated = {**{name: vector[name] for name in result}, "identity": vector["identity"], member: statement.text}
    return [f"{name}: {here[name]} here, {stated[name]} in the vector" for name in here if here[name] != stated[name]]


def check_receipt(vector, file):
    sent = {}
    for message in vector["sent"]:
        sent.setdefault(message["id"], set()).add(message["identity"])

    def take(*arguments):
        receipt = st.read_receipt(*arguments)
        return "accepted", (receipt, {"shown": st.shown_by(receipt, sent)})
    return check_statement(vector, file, "receipt", take)


def check_tokens(vector, file):
    registrations, before = ss.read_file(vector["lines"]), {}
    for text in vector.get("before", ()):
        earlier = st.read_tokens(text.encode(), vector["audience"], None)
        if any(one.proven and one.identity == earlier.identity for one in registrations):
            st.take_tokens(earlier, registrations, before)
        before[earlier.identity] = earlier

    def take(*arguments):
        tokens = st.read_tokens(*arguments)
        own, is_new = st.take_tokens(tokens, registrations, before)
        known = [{name: entry[name] for name in ("use", "name", "token") if name in entry}
                 for entry in tokens.claims["tokens"]]
        return "accepted" if is_new else "unchanged", (tokens, {
            "serial": tokens.claims["serial"], "registration": own.name, "taken": known})
    return check_statement(vector, file, "tokens", take)


def mark_of(vector, keys):
    """What a push is marked as after others, which may open or not."""
    memory = Memory(vector.get("capacity", 1024))

    def take(push):
        push_type = push.get("pushType", "alert")
        return sp.open(push["payload"], keys["device"], keys["sender"], vector["topic"], push["now"],
                       accepts_anonymous=True, memory=memory, expects=sp.PUSH_TYPES[push_type][0], push_type=push_type)
    for push in vector["before"]:
        try:
            take(push)
        except sp.Degraded:
            pass
    return take(vector).repetition or "opened"


def check_memory(vector, keys):
    try:
        found = (mark_of(vector, keys), None)
    except sp.Degraded as degraded:
        found = (degraded.reason, degraded.rule)
    return differs(found, vector)


def check_caller(vector, keys):
    opened = open_vector(vector, keys, tuple(sp.SUITES), True)
    found = sp.heeded(opened)
    wrong = [] if found == vector["heeds"] else [f"{found} here, {vector['heeds']} in the vector"]
    return check_opened(vector, keys) + wrong


def check_request(vector, keys):
    device = keys["device"]["keys"]
    active = [sp.b64(sp.thumbprint(jwk)) for jwk in device if jwk["status"] == "active"]

    def answer():
        request, kid = ss.open_request(
            vector["payload"], keys["device"], keys["sender"], vector["topic"], vector["now"])
        ss.need_answer(request, kid, vector["audience"], vector["identity"], active)
        return "answered", (request, kid)
    try:
        found, said = signed_verdict(answer)
    except sp.Degraded as degraded:
        found, said = (degraded.reason, degraded.rule, None), None
    wrong = signed_differs(found, vector)
    if wrong or said is None:
        return wrong
    stated = ss.read_request(vector["content"].encode()), vector["kid"]
    return [] if said == stated else [f"{said} here, {stated} in the vector"]


# --- other systems' envelopes

def check_format(vector, _):
    p, payload = vector["parameters"], sp.strict_json(vector["payload"].encode())
    looks = [name for name, looks_like in of.LOOKS.items() if looks_like(payload)]
    wrong = [] if looks == vector["recognized"] else [f"looks like {looks} here, {vector['recognized']} in the vector"]
    stated = tuple(vector.get(name) for name in ("expect", "rule", "member"))
    try:
        plaintext = of.OPENERS[vector["format"]](p, payload)
    except of.NotOpened as error:
        found = (error.reason, error.rule, error.member)
        return wrong + ([] if found == stated else [f"{found} here, {stated} in the vector"])
    if stated != ("opened", None, None) or sp.b64(plaintext) != vector["plaintext"]:
        return wrong + [f"{plaintext} here, {vector.get('plaintext')}, {stated} in the vector"]
    if "random" in vector:
        again = of.seal_again(vector["format"], p, plaintext, sp.unb64(vector["random"]), payload)
        wrong += [f"another {name} is sealed here" for name, text in again.items()
                  if text != {**of.content_state(payload), **payload}[name]]
    return wrong


CHECKS = {
    ("formats.json", "vectors"): check_format,
    ("edges.json", "opened"): check_opened, ("edges.json", "degraded"): check_degraded,
    ("signed.json", "senders"): check_sender, ("signed.json", "enrolments"): check_enrolment,
    ("signed.json", "registrations"): check_registration, ("signed.json", "messages"): check_set_message,
    ("signed.json", "requests"): check_request, ("signed.json", "leaves"): check_leave,
    ("signed.json", "receipts"): check_receipt, ("signed.json", "tokens"): check_tokens,
    ("memory.json", "vectors"): check_memory, ("callers.json", "vectors"): check_caller,
    ("sets.json", "sets"): check_set,
    ("fcm.json", "opened"): check_opened, ("fcm.json", "degraded"): check_degraded, ("fcm.json", "data"): check_data,
    ("fcm.json", "senders"): check_sender, ("fcm.json", "enrolments"): check_enrolment,
    ("fcm.json", "registrations"): check_registration,
    ("xwing.json", "sets"): check_set, ("xwing.json", "opened"): check_opened, ("xwing.json", "data"): check_data,
    ("xwing.json", "degraded"): check_degraded, ("xwing.json", "enrolments"): check_enrolment,
    ("xwing.json", "registrations"): check_registration,
    ("accounts.json", "tags"): check_tag, ("accounts.json", "opened"): check_opened,
    ("accounts.json", "degraded"): check_degraded, ("accounts.json", "data"): check_data,
    ("opened.json", "vectors"): check_opened, ("degraded.json", "vectors"): check_degraded,
    ("data.json", "vectors"): check_data, ("push-types.json", "vectors"): check_data,
    ("attachments.json", "members"): check_member,
    ("attachments.json", "descriptors"): lambda vector, _: differs(
        verdict(af.check_descriptor, sp.strict_json(vector["descriptor"].encode())), vector),
    ("attachments.json", "addresses"): lambda vector, _: differs(verdict(af.check_address, vector["url"]), vector),
    ("attachments.json", "blobs"): check_blob,
    ("shared.json", "thumbprints"): check_thumbprint, ("shared.json", "opened"): check_opened,
    ("shared.json", "degraded"): check_degraded, ("shared.json", "data"): check_data,
}


def outcomes(check, vectors, keys):
    """Each vector's ID, and what is wrong with it."""
    for vector in vectors:
        try:
            wrong = check(vector, keys)
        except Exception as error:  # a vector that makes this program fail has failed
            wrong = [f"{type(error).__name__}: {error}"]
        yield vector.get("id") or vector["url"], vector, wrong  # an address is its own ID


def run_list(found, enough, name, ids):
    """(passed, failed) of one list."""
    good = bad = apart = 0
    for vector_id, vector, wrong in found:
        if vector_id in ids:
            wrong.append("an id twice")
        ids.add(vector_id)
        if wrong:
            bad += 1
            for line in wrong:
                print(f"FAILED {name} {vector_id}: {line}")
        elif vector.get("expect") in NOT_VISIBLE:
            apart += 1
        else:
            good += 1
    if good + bad < enough:
        bad += 1
        print(f"FAILED {name}: fewer than {enough} vectors ran")
    note = f", {apart} not visible to cryptography ({', '.join(NOT_VISIBLE)}; what is shown was compared)" if apart else ""
    print(f"{name}: {good} passed, {bad} failed{note}")
    return good, bad


def read_files(folder):
    """The files by their names."""
    read = {}
    for name in ("keys.json", *ENOUGH):
        if (folder / name).exists():
            read[name] = json.loads((folder / name).read_bytes())
            if read[name]["format"] != "sealed-push v1":
                sys.exit(f"{name}: another format")
    return read


def lists(read):
    """Each list: its file and member, its check, its vectors and their keys."""
    keys = read["keys.json"]
    # The opener of shared.json has the device's keys too.
    opener = {"device": {"keys": read["shared.json"]["keys"]["keys"] + keys["device"]["keys"]}, "sender": keys["sender"]}
    for name, members in ENOUGH.items():
        for member in members:
            used = {"shared.json": opener, "signed.json": {**read["signed.json"], "device": keys["device"]},
                    "edges.json": read["edges.json"]["keys"]}.get(name, keys)
            used = keys if member == "requests" else used
            if name == "fcm.json" and member in ("senders", "enrolments"):
                used = read[name]
            if name == "xwing.json":
                used = read["signed.json"] if member == "enrolments" else {"device": read[name]["keys"],
                                                                           "sender": keys["sender"]}
            yield name, member, CHECKS[name, member], read.get(name, {}).get(member, []), used


def default_folder():
    return pathlib.Path(__file__).resolve().parents[2] / "Vectors"


def main():
    if sp.LACKING:
        sys.exit("this cryptography has no ML-KEM: pip install 'cryptography>=48'")
    read = read_files(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default_folder())
    passed = failed = 0
    ids = set()
    for name, member, check, vectors, keys in lists(read):
        title = name if member == "vectors" else f"{name} {member}"
        good, bad = run_list(outcomes(check, vectors, keys), ENOUGH[name][member], title, ids)
        passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
