"""An opener for `sealpush vectors verify`: answers each vector with its content, or with the reason why it does not open."""
import json, sys

import sealed_push as sp


def answer(question):
    if question.get("locked"):
        return {"reason": "key-locked"}
    keys = {"keys": question["keys"]["keys"] + question.get("shared", {"keys": []})["keys"]}
    accepts, seen = question["accepts"], {}
    arguments = (keys, question["senders"], question["topic"], question["now"], accepts["suites"], accepts["anonymous"])
    is_data = question["as"] == "data"
    if "after" in question:
        sp.open(question["after"], *arguments, seen=seen)
    try:
        opened = sp.open(question["payload"], *arguments, seen=None if is_data else seen,
                         expects=sp.DATA if is_data else sp.NOTIFICATION, push_type=question.get("pushType", "alert"))
    except sp.Degraded as degraded:
        return {"reason": degraded.reason}
    return {"opened": opened.content_text}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
