"""python3 matrix.py [--suite xwing-aesgcm] SEALPUSH_BINARY: every opener opens every sealer's messages.

Every fourth message must also be refused after it was tampered with. Sealers are the command line tool, both packages of
Examples and sealed_push.py; openers are the tool, sealed_push.py, node/ and jvm/. A missing program is a failure. A program
without xwing-aesgcm must say so: Node and Java have no ML-KEM, nor does the tool with an OpenSSL before 3.5. With --suite,
only messages of that suite are sealed.
"""
import json, os, pathlib, subprocess, sys, tempfile

import matrix_edges as edges
import matrix_members as members
import matrix_refusals as wrong
import sealed_push as sp
from check_vectors import same_json
from cryptography.hazmat.primitives import serialization
from memory import Memory

import sealedpush
from base_mode import encapsulate_again

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import ROOT, agree, end

NODE, JVM = ROOT / "Checks/Independent/node", ROOT / "Checks/Independent/jvm"
SENDER_SUITES = ("x25519-chachapoly", "p256-aesgcm")
XWING = "xwing-aesgcm"
KINDS = ("alert", "background")


class Case:
    """A vector's message, and its opener."""
    account = None

    def __init__(self, vector):
        self.id, self.content, self.topic = vector["id"], vector["content"], vector["topic"]
        self.suite, self.signed, self.now = vector["suite"], vector["sender"] is not None, vector["now"]
        self.push_type, self.padding = vector.get("pushType", "alert"), vector["padding"]
        self.message_id, self.issued_at, self.lifetime = vector["messageID"], vector["issuedAt"], vector["lifetime"]
        self.ikm, self.payload = vector.get("ikmE") or vector.get("eseed"), vector["payload"]

    def is_for_examples(self):
        return self.suite in (XWING, *SENDER_SUITES) and self.push_type in KINDS


def read(name):
    return json.loads((ROOT / "Vectors" / name).read_text())


def cases(suite=None):
    """Every vector that opens, except those of another sealer, and those whose key was replaced."""
    xwing = read("xwing.json")
    vectors = [*xwing["opened"], *xwing["data"]] if suite else [*xwing["opened"], *xwing["data"], *read("opened.json")["vectors"], *read("data.json")["vectors"], *read("push-types.json")["vectors"],
               *read("shared.json")["opened"], *read("shared.json")["data"]]
    opened = [vector for vector in vectors if vector["expect"] == "opened"]
    found = [Case(v) for v in opened if v["padding"] != "other" and not v["id"].endswith("key-accepted")]
    left = len(opened) - len(found)
    print(f"{len(found)} messages; {left} of other makes or to replaced keys are left out")
    agree("messages", "" if len(found) >= (24 if suite else 99) and left <= 12 else "too few")
    return found


class Keys:
    """The vectors' keys, private and public, as values and as files for the tool."""

    def __init__(self, folder, **lives):
        """`lives` has members for the first key of `device` or `sender`, which change the key's life."""
        keys, shared = read("keys.json"), read("shared.json")["keys"]
        keys["device"]["keys"] += [key for key in read("xwing.json")["keys"]["keys"] if key["kty"] == "AKP"]
        for whose, members in lives.items():
            keys[whose]["keys"][0].update(members)
        folder.mkdir(exist_ok=True)
        self.device, self.sender, self.shared = keys["device"], keys["sender"], shared
        public = lambda jwks: {"v": 1, "keys": [{k: v for k, v in key.items() if k not in ("d", "priv")}
                                                for key in jwks["keys"]]}
        self.device_public, self.sender_public = public(keys["device"]), public(keys["sender"])
        for name, value in vars(self).copy().items():
            path = folder / f"{name}.jwks"
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                json.dump(value, file)


class Tool:
    def __init__(self, binary, folder, keys):
        self.binary, self.folder, self.keys = str(pathlib.Path(binary).resolve()), folder, keys
        self.headers = {}
        made = self.run("keys", "new", "--role", "device", "--suite", XWING, "--out", "has-xwing.jwks", stdin="")
        self.has_xwing = made[0] is not None

    def run(self, *arguments, stdin):
        done = subprocess.run([self.binary, *map(str, arguments)], input=stdin.encode(), capture_output=True,
                              cwd=self.folder, timeout=30)
        return done.stdout.decode() if done.returncode == 0 else None, done.stderr.decode().strip()

    def seal(self, case, *more):
        to = "shared" if case.suite == "shared-chachapoly" else "device_public"
        suite = () if to == "shared" else ("--suite", case.suite)
        path = self.folder / "headers.txt"
        payload, error = self.run(
            "seal", "--to", f"{to}.jwks", *(("--from", "sender.jwks") if case.signed else ("--anonymous",)), *suite,
            "--topic", case.topic, "--message-id", case.message_id, "--lifetime", case.lifetime, "--now",
            case.issued_at, "--padding", case.padding, "--push-type", case.push_type, "--headers", path, "--force",
            *(() if case.account is None else ("--account", case.account)), *more, stdin=case.content)
        if payload is not None:
            self.headers[case.id] = dict(line.split(": ", 1) for line in path.read_text().splitlines())
        return payload, error

    def open(self, case, payload):
        content, error = self.run(
            "open", "--keys", "shared.jwks" if case.suite == "shared-chachapoly" else "device.jwks",
            *(("--senders", "sender_public.jwks") if case.signed else ("--anonymous",)), "--topic", case.topic, "--now",
            case.now, *(() if case.push_type == "alert" else ("--push-type", case.push_type)), stdin=payload)
        if content is None:
            return {"reason": error}
        return {"content": content}


class Program:
    """A program that answers each line with a line."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def start_programs(folder):
    """Those in Node and in Java, which is compiled into the folder."""
    subprocess.run([JVM / "build.sh", folder], check=True)
    java = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", f"{folder}/main:{folder}/check")
    return {**{name: Program("node", NODE / name) for name in ("open_lines.mjs", "seal_lines.mjs")},
            "Answer": Program(*java, "sealedpush.Answer")}


def openers_of(tool, programs, keys):
    """Each opener: a function of a case and a payload, whose result has the `content` or the `reason`."""
    return {"tool": tool.open,
            "sealed_push.py": lambda case, payload: python_opens(keys, case, payload),
            "node": lambda case, payload: node_opens(programs["open_lines.mjs"], keys, case, payload),
            "java": lambda case, payload: java_opens(programs["Answer"], keys, case, payload)}


def node_opens(node, keys, case, payload):
    answer = node.ask({"device": keys.device, "shared": keys.shared, "senders": keys.sender_public, "topic": case.topic,
                       "now": case.now, "pushType": case.push_type, "anonymous": not case.signed, "payload": payload})
    if "content" in answer:
        answer["content"] = sp.unb64(answer["content"]).decode()
        answer["shown"] = answer.pop("shownText", None)
    return answer


def java_opens(java, keys, case, payload):
    """Asks as `sealpush vectors verify` does."""
    data = {} if case.push_type == "alert" else {"pushType": case.push_type}
    answer = java.ask({"id": case.id, "as": "data" if data else "notification", **data, "topic": case.topic, "now": case.now,
                       "accepts": {"suites": list(sp.SUITES), "anonymous": not case.signed}, "keys": keys.device,
                       "shared": keys.shared, "senders": keys.sender_public, "shown": True, "payload": payload})
    if "opened" in answer:
        answer["content"] = answer.pop("opened")
    return answer


def in_vectors(shown):
    """The tool's `shown`, without the members that only Apple's devices have."""
    return shown and {k: v for k, v in shown.items() if k not in ("launchImageName", "filterCriteria", "attachments")}


def python_opens(keys, case, payload):
    jwks = {"keys": keys.device["keys"] + keys.shared["keys"]}
    try:
        opened = sp.open(payload, jwks, keys.sender_public, case.topic, case.now, accepts_anonymous=not case.signed,
                         memory=Memory(), expects=sp.PUSH_TYPES[case.push_type][0], push_type=case.push_type)
    except sp.Degraded as error:
        return {"reason": str(error).split(" ")[0]}
    claims = opened.claims
    return {"shown": sp.shown(payload, opened), "content": opened.content_text, "suite": claims["suite"], "sender": opened.sender,
            "messageID": claims["messageID"].replace("-", ""), "issuedAt": claims["issuedAt"], "lifetime": claims["lifetime"]}


def python_seals(keys, case):
    jwks = keys.shared if case.suite == "shared-chachapoly" else keys.device_public
    recipient = next(key for key in jwks["keys"]
                     if sp.kind(key) == sp.SUITES[case.suite].kind and key["status"] == "active")
    content_type, limit, skeleton = sp.PUSH_TYPES[case.push_type]
    payload = sp.seal(case.content, recipient, case.topic, case.suite, keys.sender["keys"][0] if case.signed else None,
                      case.message_id, case.issued_at, case.lifetime, case.padding, skeleton=skeleton, limit=limit,
                      content_type=content_type, account=case.account)
    return payload.decode(), ""


def signer_text(keys, case):
    """The sender's key set, or, for content with a badge, the same key in PEM."""
    if not case.signed:
        return None
    if "badge" not in case.content:
        return json.dumps(keys.sender)
    return sp.private_key(keys.sender["keys"][0]).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def python_example_seals(keys, case):
    """With the vector's ephemeral key, so its bytes are the vector's."""
    signer = signer_text(keys, case)
    sealer = sealedpush.Sealer(case.topic, sealedpush.SigningKey.parse(signer)) if signer else (
        sealedpush.Sealer.anonymous(case.topic))
    random, ikm = sealedpush.hpke.encapsulate, case.ikm and bytes.fromhex(case.ikm)
    sealedpush.hpke.encapsulate = (lambda suite, raw: encapsulate_again(suite, ikm, raw)) if ikm else random
    try:
        push = sealer.seal(
            case.content, sealedpush.PublicKeySet.parse(json.dumps(keys.device_public)), push_type=case.push_type,
            message_id=case.message_id, issued_at=case.issued_at, lifetime=case.lifetime, padding=case.padding,
            suite=None if case.suite == XWING else case.suite, account=case.account, now=case.now)  # X-Wing is preferred
    finally:
        sealedpush.hpke.encapsulate = random
    return example_made("python", case, push.payload.decode()), push.headers


def example_made(name, case, payload):
    if case.ikm:
        agree(f"{name} example, {case.id}: the vector's bytes", "" if payload == case.payload else "others")
    return payload


def node_example_seals(node, keys, case):
    """With the vector's ephemeral key, so its bytes are the vector's."""
    account = {} if case.account is None else {"account": case.account}
    answer = node.ask({
        "recipients": json.dumps(keys.device_public), "signer": signer_text(keys, case),
        "topic": case.topic, "content": case.content, "suite": case.suite, "ikmE": case.ikm, "options": {
            "pushType": case.push_type, "messageID": case.message_id, "issuedAt": case.issued_at, "now": case.now,
            "lifetime": case.lifetime, "padding": case.padding, **account}})
    if "payload" not in answer:
        return None, answer["refused"]
    return example_made("node", case, answer["payload"]), answer["headers"]


def differs(case, opened):
    wanted = {"content": case.content, "suite": case.suite, "messageID": case.message_id.replace("-", ""),
              "issuedAt": case.issued_at, "lifetime": case.lifetime}
    if "reason" in opened:
        return opened["reason"]
    wrong = [name for name in wanted.keys() & opened.keys() if opened[name] != wanted[name]]
    if "sender" in opened and (opened["sender"] is not None) != case.signed:
        wrong.append("sender")
    return f"another {', '.join(wrong)}" if wrong else ""


def tampered(payload):
    """The payload with another last character of the envelope, one that carries the same number of bits."""
    at = payload.rindex('"') - 5
    return payload[:at] + ("A" if payload[at] != "A" else "B") + payload[at + 1:]


def all_cells(binary, folder, programs):
    """Seals every case with every sealer, and opens it with every opener, every fourth also tampered with; returns each cell's counts."""
    keys = Keys(folder)
    tool = Tool(binary, folder, keys)
    headers = {}

    def with_headers(case, sealed):
        headers[case.id] = sealed[1]
        return sealed

    sealers = {
        "tool": (tool.seal, lambda case: True),
        "Examples/python": (lambda case: with_headers(case, python_example_seals(keys, case)), Case.is_for_examples),
        "Examples/node": (lambda case: with_headers(case, node_example_seals(programs["seal_lines.mjs"], keys, case)),
                                Case.is_for_examples),
        "sealed_push.py": (lambda case: python_seals(keys, case), lambda case: case.push_type != "liveactivity"),
    }
    openers = openers_of(tool, programs, keys)
    counts, lacking = {}, {"Examples/node", "node", "java"} | (set() if tool.has_xwing else {"tool"})
    for name, (seal, can) in sealers.items():
        for number, case in enumerate(case for case in every_case if can(case)):
            if case.suite == XWING and name in lacking:
                refusal = seal(case)[1]
                agree(f"{name} says that it lacks {XWING}, {case.id}", "" if "ML-KEM" in refusal else refusal or "nothing")
                continue
            try:
                payload, error = seal(case)
            except (sealedpush.SealedPushError, ValueError) as refused:
                payload, error = None, str(refused)
            if payload is None:
                agree(f"{name} seals {case.id}", error or "nothing")
                continue
            if case.id in headers and case.id in tool.headers and name.startswith("Examples"):
                agree(f"{name}, {case.id}: headers", "" if headers[case.id] == tool.headers[case.id] else "others")
            for opener, open_with in openers.items():
                if case.suite == XWING and opener in lacking:
                    reason = open_with(case, payload).get("reason", "opened")
                    agree(f"{opener} says that it lacks {XWING}, {case.id}", "" if "unsupported-suite" in reason else reason)
                    continue
                cell = counts.setdefault((case.suite == XWING, name, opener), [0, 0])
                cell[1] += 1
                cell[0] += agree(f"{name}, {opener}: {case.id}", differs(case, open_with(case, payload)))
                if number % 4:
                    continue
                cell[1] += 1
                opened = open_with(case, tampered(payload))
                cell[0] += agree(f"{name}, {opener}: {case.id} tampered",
                                 "" if "not-authentic" in opened.get("reason", "") else f"{opened}")
    return list(sealers), list(openers), counts, lacking


def example_lengths(programs, folder):
    """Seals plaintexts about as long as each bucket and as the capacity: payloads must be as long as sealed_push.py's."""
    keys, content = Keys(folder), '{"aps":{"alert":"%s"}}'
    vectors = {v["id"]: v for v in read("opened.json")["vectors"]}
    asked = 0
    for suite in SENDER_SUITES:
        case = Case(vectors[f"{suite}-signed-buckets"])
        case.ikm, case.payload = None, None
        room = sp.capacity(len(sp.compact(sp.SKELETON).encode()), sp.SUITES[suite])
        for length in (255, 256, 257, 512, 513, 1024, 1025, 2048, 2049, room - 1, room, room + 1):
            case.content = content % ("x" * (length - 102 - len(content % "")))
            wanted = len(python_seals(keys, case)[0]) if length <= room else "too long by 1 bytes"
            for name, seal in (("python", lambda: python_example_seals(keys, case)),
                               ("node", lambda: node_example_seals(programs["seal_lines.mjs"], keys, case))):
                try:
                    payload, more = seal()
                except sealedpush.SealedPushError as error:
                    payload, more = None, str(error)
                found, asked = more if payload is None else len(payload), asked + 1
                agree(f"{name}, {suite}, {length} bytes", "" if found == wanted else f"{found}, not {wanted}")
    return asked


def example_refusals(programs, folder):
    """Checks questions that must be refused with a `SealError`: any other error is a failure."""
    keys = read("keys.json")
    public = {"v": 1, "keys": [{k: v for k, v in key.items() if k != "d"} for key in keys["device"]["keys"]]}
    questions = [(name, {"payload": payload}) for name, payload in wrong.PAYLOADS.items()]
    questions += [(name, options) for name, options in wrong.OPTIONS.items()]
    questions += [(f"recipients: {name}", {"recipients": value}) for name, value in
                  wrong.sets(public, keys["device"]).items()]
    questions += [(f"signer: {name}", {"signer": value}) for name, value in
                  (("public", {"keys": [{k: v for k, v in key.items() if k != "d"} for key in keys["sender"]["keys"]]}),
                   ("a device's", keys["device"]), ("empty", {}))]
    good = [(name, {"payload": payload}) for name, payload in wrong.GOOD_PAYLOADS.items()]
    secrets = [key["d"] for part in ("device", "sender") for key in keys[part]["keys"]]
    for name, question in questions + good:
        question = {"payload": wrong.GOOD, "recipients": public, "signer": keys["sender"], "topic": "com.example.app",
                    "now": 1795000000, **question}
        for file, ask in (("sealer.py", ask_python), ("node", lambda q: ask_node(programs["seal_lines.mjs"], q))):
            refused = ask(dict(question))
            is_good = (name, {"payload": question["payload"]}) in good
            agree(f"{file} refuses {name}", "" if (refused is None) == is_good else f"{refused}")
            agree(f"{file} quotes no secret", "" if not any(each in str(refused) for each in secrets) else name)
    return 2 * len(questions)


def ask_python(question):
    payload, recipients, signer, topic = (question.pop(each) for each in ("payload", "recipients", "signer", "topic"))
    names = {"pushType": "push_type", "messageID": "message_id", "issuedAt": "issued_at"}
    try:
        sealer = sealedpush.Sealer(topic, sealedpush.SigningKey.parse(json.dumps(signer)))
        sealer.seal(payload, sealedpush.PublicKeySet.parse(json.dumps(recipients)),
                    **{names.get(each, each): value for each, value in question.items()})
    except sealedpush.SealedPushError as error:
        return str(error)


def ask_node(node, question):
    payload, recipients, signer, topic = (question.pop(each) for each in ("payload", "recipients", "signer", "topic"))
    answer = node.ask({"recipients": json.dumps(recipients), "signer": json.dumps(signer), "topic": topic,
                       "payload": payload, "suite": question.pop("suite", None), "options": question})
    return answer.get("refused")


class Edge:
    """A message of matrix_edges.py, as a case."""
    id, push_type, suite, topic = "edge", "alert", "x25519-chachapoly", "com.example.app"

    def __init__(self, content, signed=True, age=0):
        self.content, self.signed, self.now, self.age = content, signed, edges.NOW, age

    def sealed(self, keys):
        return sp.seal(
            self.content.encode(), keys.device_public["keys"][0], self.topic, self.suite,
            keys.sender["keys"][0] if self.signed else None, "2c75dea1-70b5-4c96-b740-1f3362cce2e9", self.now - self.age,
            100, check=False).decode()


def all_edges(binary, folder, programs):
    """Opens each message of matrix_edges.py with every opener; returns how many there are."""
    keys = Keys(folder)
    tool = Tool(binary, folder, keys)

    def opened_by_all(name, edge, wanted, keys, tool, anonymous=False):
        payload, stranger = edge.sealed(keys), Edge("", signed=not anonymous)
        trust = ("--anonymous",) if anonymous else ("--senders", "sender_public.jwks")
        text, error = tool.run("simulate", "--json", "--keys", "device.jwks", *trust, "--topic", edge.topic, "--now",
                               edge.now, stdin=payload)
        simulated = json.loads(text) if text else {"outcome": "failed", "reason": error}
        openers = {**openers_of(tool, programs, keys), "tool": lambda *_: {
            "reason": simulated["reason"], "shown": in_vectors(simulated.get("shown"))}}
        found = {name: open_with(stranger, payload) for name, open_with in openers.items()}
        for opener, answer in found.items():
            agree(f"{opener}, {name}", "" if (answer.get("reason") or "opened") == wanted else
                  f"{answer.get('reason') or 'opened'}, not {wanted}")
        if wanted == "opened" and all(answer.get("shown") for answer in found.values()):
            exact = [json.dumps(each, sort_keys=True) for each in (found["tool"]["shown"], json.loads(found["node"]["shown"]))]
            agree(f"tool and node show the same, {name}", "" if exact[0] == exact[1] else f"{exact[0]} and {exact[1]}")
            for opener in ("sealed_push.py", "java"):
                same = same_json(found["tool"]["shown"], found[opener]["shown"])
                agree(f"tool and {opener} show the same, {name}", "" if same else f"{found[opener]['shown']}")

    for name, (content, wanted) in edges.CONTENTS.items():
        for signed in (True, False):
            opened_by_all(f"{name}, {'signed' if signed else 'anonymous'}", Edge(content, signed), wanted, keys, tool,
                          anonymous=not signed)
    for name, (content, signed, age, wanted) in edges.ORDERS.items():
        opened_by_all(name, Edge(content, signed, age), wanted, keys, tool)
    for number, (name, (whose, life, wanted)) in enumerate(edges.LIVES.items()):
        changed = Keys(folder / f"life{number}", **{whose: {k: edges.NOW + v for k, v in life.items()}})
        opened_by_all(name, Edge('{"aps":{"alert":"B"}}'), wanted, changed, Tool(binary, folder / f"life{number}", changed))
    return 2 * len(edges.CONTENTS) + len(edges.ORDERS) + len(edges.LIVES)


class Said(Case):
    """A message of matrix_members.py."""
    topic, suite, signed, padding = Edge.topic, Edge.suite, True, "buckets"
    message_id, lifetime, ikm = "6e0a1f58-3c5e-4d0c-9a35-5d2f0b0e9f11", 100, None
    issued_at = now = edges.NOW

    def __init__(self, name, content, account=None):
        self.id, self.content, self.account = name if account is None else f"{name}, for an account", content, account
        self.push_type = "alert" if '"alert"' in content else "background"

    def opened(self):
        """The same message, as openers must find it."""
        if self.account is None:
            return self
        said = json.loads(self.content).get("sealed-push")
        if said is None:
            content = self.content[:-1] + f',"sealed-push":{{"v":1,"account":"{self.account}"}}}}'
        else:
            text = sp.compact(said)
            content = self.content.replace(text, f'{text[:-1]},"account":"{self.account}"}}')
        found = Said(self.id, content)
        found.push_type = self.push_type
        return found

    def collapse_id(self):
        """The message whose place it takes or, if there is none, its own ID."""
        return json.loads(self.content).get("sealed-push", {}).get("replaces", self.message_id)


def all_members(binary, folder, programs):
    """Seals each content of matrix_members.py with every sealer, and opens it; returns how many there are."""
    keys = Keys(folder)
    tool = Tool(binary, folder, keys)
    sealers = {"tool": tool.seal, "Examples/python": lambda case: python_example_seals(keys, case),
               "Examples/node": lambda case: node_example_seals(programs["seal_lines.mjs"], keys, case),
               "sealed_push.py": lambda case: python_seals(keys, case)}
    openers = openers_of(tool, programs, keys)

    def sealed(name, case):
        """The payload and the headers, which sealed_push.py has not, or None and why there is nothing."""
        try:
            payload, more = sealers[name](case)
        except (sealedpush.SealedPushError, ValueError) as refused:
            return None, str(refused)
        return payload, tool.headers[case.id] if name == "tool" and payload is not None else more

    for sealer in sealers:
        for name, content in members.BAD.items():
            payload, refusal = sealed(sealer, Said(name, content))
            agree(f"{sealer} refuses what a caller says: {name}",
                  "it was sealed" if payload is not None else "" if "reserved" in refusal else refusal)
        for name, content in members.GOOD.items():
            for case in (Said(name, content), Said(name, content, members.TAG)):
                payload, headers = sealed(sealer, case)
                what = f"{sealer}, what a caller says: {case.id}"
                if not agree(f"{what}: sealed", "" if payload is not None else headers):
                    continue
                if headers:
                    found = [headers["apns-id"], headers["apns-collapse-id"]]
                    agree(f"{what}: the IDs", "" if found == [case.message_id, case.collapse_id()] else f"{found}")
                wanted = case.opened()
                for opener, open_with in openers.items():
                    agree(f"{what}: {opener} finds it", differs(wanted, open_with(wanted, payload)))
    own = Said("an own collapse ID", members.GOOD["replaces"])
    refusal = tool.seal(own, "--collapse-id", "own")[1]
    headers = tool.headers.get(own.id, {})
    agree("tool, an own collapse ID", "" if headers.get("apns-collapse-id") == "own" else f"{headers or refusal}")
    fan_out(tool, keys)
    return len(members.GOOD) + len(members.BAD)


def fan_out(tool, keys):
    """The tool's IDs of a message to several devices, which are derived for each device's key."""
    derived = sp.derived_id(members.ID, sp.unb64("4JHXDbQKchI4NhsqNNUhH-dBS_B8ATse1_qrwM_VZr0"))
    agree("the derived ID of FORMAT.md", "" if derived == members.OTHER else derived)
    own_keys = [next(key for key in keys.device_public["keys"]
                     if sp.kind(key) == sp.SUITES[suite].kind and key["status"] == "active") for suite in SENDER_SUITES]
    devices, prints = [{"keys": [key]} for key in own_keys], [sp.thumbprint(key) for key in own_keys]
    line = {"message_id": Said.message_id, "payload": json.loads(members.GOOD["replaces"])}
    # The line's own members, and the collapse ID for a key's thumbprint, or None for that of a single device.
    cases = {
        "several devices": ({"to": devices}, lambda key: sp.derived_id(members.ID, key)),
        "an array of one device": ({"to": devices[:1]}, lambda key: sp.derived_id(members.ID, key)),
        "several devices, and nothing is replaced": (
            {"to": devices, "payload": json.loads(members.GOOD["none"])}, lambda key: sp.derived_id(Said.message_id, key)),
        "several devices, and an own collapse ID": ({"to": devices, "collapse_id": "own"}, lambda key: "own"),
        "a single device": ({"to": devices[0]}, lambda key: members.ID),
    }
    given = "".join(json.dumps({**line, **more}) + "\n" for more, _ in cases.values())
    answers, error = tool.run("seal", "--lines", "--from", "sender.jwks", "--topic", Said.topic, "--now", Said.now, stdin=given)
    lines = [json.loads(text) for text in (answers or "").splitlines()]
    if not agree("the tool seals to several devices", "" if len(lines) == len(cases) else error or f"{len(lines)} lines"):
        return
    for (name, (_, collapse_id)), answer in zip(cases.items(), lines, strict=True):
        headers = [push.get("headers", {}) for push in answer.get("pushes", [answer])]
        found = [(each.get("apns-id"), each.get("apns-collapse-id")) for each in headers]
        message_id = (lambda key: sp.derived_id(Said.message_id, key)) if "pushes" in answer else (lambda key: Said.message_id)
        wanted = [(message_id(key), collapse_id(key)) for key, _ in zip(prints, headers)]
        agree(f"the tool's IDs, {name}", "" if found == wanted else f"{found}, not {wanted}")


def no_messages(binary, folder, programs):
    """Checks payloads that every opener refuses without a reason of FORMAT.md; returns how many there are."""
    keys = Keys(folder)
    tool = Tool(binary, folder, keys)
    openers = openers_of(tool, programs, keys)

    def python_refuses(case, payload):
        try:
            return f"{python_opens(keys, case, payload)}"
        except ValueError:
            return ""

    for name, payload in edges.NO_MESSAGES.items():
        for push_type in ("alert", "liveactivity"):
            case = Edge("")
            case.push_type = push_type
            error = tool.open(case, payload).get("reason", "opened")
            agree(f"tool, {push_type}, {name}", "" if "the payload is not strict JSON" in error else error)
            agree(f"sealed_push.py, {push_type}, {name}", python_refuses(case, payload))
            for opener in ("node", "java"):
                answer = openers[opener](case, payload)
                agree(f"{opener}, {push_type}, {name}", "" if answer.keys() == {"refused"} else f"{answer}")
    return 2 * len(edges.NO_MESSAGES)


def show(sealers, openers, counts, is_xwing, lacking=()):
    width = max(map(len, sealers)) + 2
    print((XWING if is_xwing else "sealer \\ opener").ljust(width) + "".join(name.rjust(18) for name in openers))
    for sealer in sealers:
        cells = [counts.get((is_xwing, sealer, opener)) for opener in openers]
        print(sealer.ljust(width) + "".join(
            (f"{cell[0]} of {cell[1]}" if cell else "lacks it").rjust(18) for cell in cells))
        for opener, cell in zip(openers, cells):
            enough = 0 if {sealer, opener} & set(lacking) else (24 if is_xwing else 45)
            asked = cell[1] if cell else 0
            agree(f"{sealer}, {opener}", "" if asked >= enough else f"{asked} messages are too few")


def main(binary, suite):
    with tempfile.TemporaryDirectory() as folder:
        programs = start_programs(pathlib.Path(folder) / "jvm")
        sealers, openers, counts, lacking = all_cells(binary, pathlib.Path(folder), programs)
        if suite is None:
            show(sealers, openers, counts, False)
        show(sealers, openers, counts, True, lacking)
        if suite is None:
            all_others(binary, folder, programs)
        for program in programs.values():
            program.process.stdin.close()
            program.process.wait(timeout=10)
    end(note=f"; without {XWING}: {', '.join(sorted(lacking))}")


def all_others(binary, folder, programs):
    """Runs the checks that are not cells of the matrix."""
    print(f"opened alike: {all_edges(binary, pathlib.Path(folder) / 'edges', programs)} messages at the edges of the rules")
    said = all_members(binary, pathlib.Path(folder) / "said", programs)
    print(f"what a caller says: {said} contents, sealed or refused alike")
    none = no_messages(binary, pathlib.Path(folder) / "none", programs)
    print(f"no message to every opener: {none} payloads")
    print(f"padded by the examples: {example_lengths(programs, pathlib.Path(folder) / 'lengths')} payloads of the right length")
    print(f"refused by the examples: {example_refusals(programs, folder)}, one fault each")


if __name__ == "__main__":
    suite = XWING if sys.argv[1:-1] == ["--suite", XWING] else None
    if len(sys.argv) != (4 if suite else 2):
        sys.exit(__doc__)
    every_case = cases(suite)
    main(sys.argv[-1], suite)
