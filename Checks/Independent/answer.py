"""An opener for `sealpush vectors verify`: answers each vector with its content, or with the reason why it does not open."""
import json, sys

import sealed_push as sp
from memory import Memory


def answer(question):
    if question.get("locked"):
        return {"reason": "key-locked"}
    keys = {"keys": question["keys"]["keys"] + question.get("shared", {"keys": []})["keys"]}
    accepts, memory = question["accepts"], Memory()
    arguments = (keys, question["senders"], question["topic"], question["now"], accepts["suites"], accepts["anonymous"])
    push_type = question.get("pushType", "alert")
    if question["as"] == "data" and push_type == "alert":  # a notification in place of a background push
        push_type = "background"
    expected = dict(expects=sp.PUSH_TYPES[push_type][0], push_type=push_type, memory=memory,
                    lacks=question.get("lacks", sp.LACKING), accounts=question.get("accounts"))
    if "after" in question:
        sp.open(question["after"], *arguments, **expected)
    try:
        opened = sp.open(question["payload"], *arguments, **expected)
    except sp.Degraded as degraded:
        return {"reason": degraded.reason}
    return {"opened": opened.content_text}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
