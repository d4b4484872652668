"""Payloads, options and recipients' sets with one fault each, which both packages of Examples must refuse."""
import copy

from sealed_push import b64

GOOD = {"aps": {"alert": {"title": "Ada", "body": "Lunch at noon?"}}}


def aps(**members):
    return {"aps": {"alert": "B", **{name.replace("_", "-"): value for name, value in members.items()}}}


def nested(depth):
    """Containers nested this deep, counting the payload itself."""
    value = []
    for _ in range(depth - 2):
        value = [value]
    return {**GOOD, "deep": value}


PAYLOADS = {
    "an array": [], "no aps": {"a": 1}, "aps is an array": {"aps": []}, "alert is a number": {"aps": {"alert": 1}},
    "a reserved member": {**GOOD, "sealed-push": {}}, "a reserved member, in escapes":
    '{"aps":{"alert":"B"},"sealed\\u002dpush":{"v":1}}', "the envelope's member": {**GOOD, "ENCRYPTED_DATA": ""},
    "no text": {"aps": {"badge": 1}}, "empty texts": {"aps": {"alert": {"title": "", "body": ""}}},
    "a subtitle alone": {"aps": {"alert": {"subtitle": "S"}}}, "title is null": {"aps": {"alert": {"title": None, "body": "B"}}},
    "U+0000": {"aps": {"alert": "a\0b"}}, "badge is negative": aps(badge=-1), "badge is true": aps(badge=True),
    "badge is a fraction": aps(badge=1.5), "category is a number": aps(category=1), "thread-id is null": aps(thread_id=None),
    "sound is true": aps(sound=True), "sound without a name": aps(sound={"critical": 1}),
    "critical is 2": aps(sound={"name": "s", "critical": 2}), "critical is true": aps(sound={"name": "s", "critical": True}),
    "volume is 2": aps(sound={"name": "s", "volume": 2}), "an unknown level": aps(interruption_level="loud"),
    "score is 1.5": aps(relevance_score=1.5), "score is a string": aps(relevance_score="1"),
    "score is negative": aps(relevance_score=-1, event="update"), "score is a string, with an event":
    aps(relevance_score="1", event="update"), "a lone surrogate": {**GOOD, "a": "\ud800"},
    "a lone surrogate in a name": {**GOOD, "\udc00": 1}, "33 deep": nested(33), "too long": {"aps": {"alert": "x" * 4096}},
}
GOOD_PAYLOADS = {
    "32 deep": nested(32), "score 75 with an event": aps(relevance_score=75, event="update"),
    "what a caller says": {**GOOD, "sealed-push": {"v": 1, "removes": ["2c75dea1-70b5-4c96-b740-1f3362cce2e9"]}},
    "what a caller says, in escapes": '{"aps":{"alert":"B"},"sealed\\u002dpush":{"\\u0076":1, "bytes" : "\\u0041A"}}',
}

OPTIONS = {
    "a topic with a suffix": {"topic": "com.example.app.voip"}, "an empty topic": {"topic": ""},
    "a topic with a space": {"topic": "com example"}, "a push type": {"pushType": "voip"},
    "a lifetime of 31 days": {"lifetime": 2678400}, "a negative lifetime": {"lifetime": -1}, "a time of 2^53":
    {"issuedAt": 2 ** 53}, "priority 7": {"priority": 7}, "padding": {"padding": "some"}, "a message ID": {"messageID": "7"},
    "a suite": {"suite": "shared-chachapoly"},
}


def sets(public, private):
    """Recipients' sets with one fault each, made from a valid one."""
    def changed(**members):
        """One key with these members; members that are None are left out."""
        new = copy.deepcopy(public)
        good = next(key for key in new["keys"] if key["crv"] == "X25519" and key["status"] == "active")
        new["keys"] = [{name: value for name, value in {**good, **members}.items() if value is not None}]
        return new
    other = next(key["x"] for key in public["keys"] if key["status"] != "active")
    return {
        "a private set": private, "no set": [], "no keys": {"v": 1}, "an empty set": {"keys": []}, "v 2": {**public, "v": 2},
        "a role": {**public, "role": "identity"}, "a key that is null": {"keys": [None]}, "an ended key": changed(exp=1), "exp is a string": changed(exp="9999999999"), "v is true": {**public, "v": True},
        "an accepted key alone": changed(status="accepted"), "a kid of another": changed(x=other), "no x": changed(x=None),
        "a short x": changed(x="AAAA"), "x with other bits": changed(x="A" * 42 + "B", kid=None), "another kty": changed(kty="EC"),
        "x is zero": changed(x="A" * 43, kid=None),
        "x is 9 + p": changed(x=b64((2 ** 255 - 10).to_bytes(32, "little")), kid=None),
        "x is 9, with the top bit": changed(x=b64((2 ** 255 + 9).to_bytes(32, "little")), kid=None),
        "two active keys": {"keys": [key | {"status": "active"} for key in public["keys"]]}, "an empty private member": changed(d=""),
    }
