"""An opener for `sealpush vectors verify`: answers each question with what comes of it, or with the reason why nothing does."""
import json, sys

import check_vectors as cv
import sealed_push as sp
import signed_sets as ss
import statements as st
from memory import Memory
from sealedpush.leave import Leave


def message(question, is_data):
    keys = None if question.get("locked") else {
        "keys": question["keys"]["keys"] + question.get("shared", {"keys": []})["keys"]}
    accepts = question["accepts"]
    arguments = (keys, question["senders"], question["topic"], question["now"], accepts["suites"], accepts["anonymous"])
    push_type = question.get("pushType", "alert")
    expected = dict(expects=sp.PUSH_TYPES[push_type][0], push_type=push_type, memory=Memory(),
                    lacks=question.get("lacks", sp.LACKING), accounts=question.get("accounts"))
    if "after" in question:
        sp.open(question["after"], *arguments, **expected)
    try:
        opened = sp.open(question["payload"], *arguments, **expected)
    except sp.Degraded as degraded:
        return {"reason": degraded.reason, **shown(question, degraded.reason)}
    heeds = {} if is_data else {"heeds": sp.heeded(opened)}
    return {"opened": opened.content_text, **shown(question, opened), **heeds}


def shown(question, result):
    """What is shown, where that is asked; an integer that is too large for JSON's readers stays exact."""
    return {"shown": sp.shown(question["payload"], result)} if question.get("shown") else {}


def senders(question):
    _, is_other = ss.replace(question.get("atHand"), question["text"], ss.pinned(question.get("pinned", question["roots"])),
                             question["topic"])
    return "accepted" if is_other else "unchanged"


def enrolment(question):
    ss.read_enrolment(question["enrolment"], question["topic"], question.get("challenge"), question["audience"],
                      question.get("services", ["apns"]))
    return "accepted"


def registration(question):
    if "name" not in question:
        ss.read_file(question["lines"], question.get("services", ["apns"]))
        return "read"
    wanted = {name: question[name] for name in ("challenge", "lacks", "person", "joins", "services") if name in question}
    return ss.accept(question["lines"], question["name"], question["enrolment"], question["audience"], question["proof"],
                     key_alone=question.get("keyAlone", False), **wanted)[0]


def leave(question):
    said = Leave.parse(question["leave"], question["audience"], question["topic"])
    return "removed" if said.names({one.name: one for one in ss.read_file(question["lines"])}) else "unchanged"


def receipt(question):
    st.read_receipt(question["receipt"].encode(), question["audience"], question["topic"])
    return "accepted"


def tokens(question):
    registrations, before = ss.read_file(question["lines"]), {}
    for text in question.get("before", ()):
        earlier = st.read_tokens(text.encode(), question["audience"], None)
        before[earlier.identity] = earlier
    said = st.read_tokens(question["tokens"].encode(), question["audience"], question["topic"])
    return "accepted" if st.take_tokens(said, registrations, before)[1] else "unchanged"


def request(question):
    said, kid = ss.open_request(question["payload"], question["keys"], question["senders"], question["topic"],
                                question["now"])
    active = [sp.b64(sp.thumbprint(jwk)) for jwk in question["keys"]["keys"] if jwk["status"] == "active"]
    ss.need_answer(said, kid, question["audience"], question["identity"], active)
    return "answered"


def from_check(check):
    """A question that is a vector: its check's verdict."""
    def answer(question):
        return check(question, {"device": question.get("keys"), "sender": question.get("senders"),
                                "roots": question.get("roots")})
    return answer


KINDS = {"senders": senders, "enrolment": enrolment, "registration": registration, "leave": leave, "receipt": receipt,
         "tokens": tokens, "request": request, "memory": from_check(cv.mark_of), "set-message": from_check(cv.result_of),
         "set": lambda question: "refused" if cv.kids_of(question) is None else "accepted"}


def answer(question):
    kind = question["as"]
    if kind in ("notification", "data"):
        return message(question, kind == "data")
    if kind not in KINDS:
        return {"unsupported": True}
    try:
        return {"result": KINDS[kind](question)}
    except (sp.Degraded, ss.Refused) as refused:
        return {"reason": refused.reason}


for line in sys.stdin:
    # Numbers as they were written.
    print(sp.compact(answer(json.loads(line))), flush=True)
