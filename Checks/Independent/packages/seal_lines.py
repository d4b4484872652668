"""Seals with the installed package `sealedpush`, one line of JSON per question; answers with the payload or the error."""
import json, sys

import sealedpush


def sealed(question):
    key = question["signer"] and sealedpush.SigningKey.parse(question["signer"])
    published = "published" in question and sealedpush.SenderSet.parse(question["published"], question["roots"])
    topic = question["topic"]
    sealer = sealedpush.Sealer(topic, key, published=published or None) if key else sealedpush.Sealer.anonymous(topic)
    if "to" in question:
        to = question["to"]
    elif "registration" in question:
        known = sealedpush.read_registrations(question["registrations"])
        to = known.get(question["registration"])
        if "person" in question:
            to = sealedpush.by_person(known)[question["person"]][0]
        if "of" in question:
            to = to.of(question["of"])
    elif "identity" in question:
        to = sealedpush.DeviceKeySet.verify(question["signed"], question["identity"], question.get("app"))
    else:
        to = sealedpush.PublicKeySet.parse(question["set"])
    push = sealer.seal(question["payload"], to, **question.get("options", {}))
    return {"payload": push.payload.decode(), "headers": push.headers, "token": getattr(to, "token", None)}


for line in sys.stdin:
    try:
        answer = sealed(json.loads(line))
    except sealedpush.SealedPushError as error:
        answer = {"error": f"{type(error).__name__}: {getattr(error, 'reason', error)}"}
    except TypeError as error:  # an unknown argument
        answer = {"error": f"TypeError: {error}"}
    print(json.dumps(answer), flush=True)
