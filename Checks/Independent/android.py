"""python3 android.py SEALPUSH: a person's iPhone and Android phone, from the enrolment to what is opened, also in Java.

Examples/backend/fcm.py sends what the tool and both packages seal for Android. A server in place of Google's judges each
request by the documented rules of the HTTP v1 API, and its data is opened by the tool.
"""
import http.server, json, os, pathlib, re, shutil, subprocess, sys, tempfile, threading

import examples  # where sealedpush is
import sealedpush

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import ROOT, check, end

sys.path.append(str(ROOT / "Examples/backend"))
import fcm

TOOL = pathlib.Path(sys.argv[1]).resolve()
APP, TOKEN, BACKEND = "com.example.my_app", "fX9-aB_3:APA91b" + "0aZ" * 40, "https://push.example.com"
JAVA = TOKEN[::-1]
IOS, DEVICE_TOKEN = "com.example.app", "00ff" * 16
PAYLOAD = {"aps": {"alert": {"title": "Ada", "body": "Lunch at noon?"}}}
ACCESS = "ya29.secret"


class Google(http.server.BaseHTTPRequestHandler):
    """FCM, as far as a client sees it (REST Resource: projects.messages)."""
    gone, busy, seen = set(), set(), []
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status, answer, headers = self.judge(body)
        text = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(text)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def judge(self, body):
        if self.headers["Authorization"] != f"Bearer {ACCESS}":
            return 401, {"error": {"code": 401, "status": "UNAUTHENTICATED"}}, {}
        if self.path != "/v1/projects/lunch/messages:send":
            return 404, {"error": {"code": 404, "status": "NOT_FOUND"}}, {}
        fault = self.fault(body)
        if fault:
            return 400, {"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": fault}}, {}
        message = json.loads(body)["message"]
        for tokens, status, code in ((self.gone, 404, "UNREGISTERED"), (self.busy, 503, "UNAVAILABLE")):
            if message["token"] in tokens:
                details = [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": code}]
                return status, {"error": {"code": status, "status": "X", "details": details}}, {"Retry-After": "7"}
        self.seen.append(message)
        return 200, {"name": f"projects/lunch/messages/{len(self.seen)}"}, {}

    def fault(self, body):
        request = json.loads(body)
        if request.keys() - {"validate_only"} != {"message"}:
            return "a request has a message"
        message = request["message"]
        others = message.keys() - {"name", "data", "notification", "android", "webpush", "apns", "fcm_options"}
        if len(others) != 1 or not others <= {"token", "topic", "condition"}:
            return "a message has one target, and no unknown member"
        data, android = message.get("data", {}), message.get("android", {})
        if not all(isinstance(value, str) for value in data.values()):
            return "data are strings"
        if any(name in ("from", "message_type") or name.startswith(("google.", "gcm.")) for name in data):
            return "a reserved name"
        if sum(len(text.encode()) for member in data.items() for text in member) > 4096:
            return "the message is too big"
        known = {"collapse_key", "priority", "ttl", "restricted_package_name", "data", "notification", "direct_boot_ok"}
        if not android.keys() <= known or android.get("priority", "NORMAL") not in ("NORMAL", "HIGH"):
            return "android"
        ttl = re.fullmatch(r"(\d+)(\.\d{1,9})?s", android.get("ttl", "0s"))
        if ttl is None or int(ttl[1]) > 2_419_200:
            return "a ttl is at most 28 days"
        return None


def tool(line, given=b"", status=0, shown=True):
    done = subprocess.run([TOOL, *line.split()], cwd=folder, input=given, capture_output=True, timeout=120)
    check(f"sealpush {line} ends with {status}", done.returncode == status, f"{done.returncode}: {done.stderr.decode()}")
    return done.stdout


def opens(what, message, push_type="fcm", payload=PAYLOAD):
    """The tool opens data as the app does, and not as another type."""
    given = json.dumps(message["data"]).encode()
    opened = tool(f"open --keys android/device.jwks --senders sender.pub.jwks --topic {APP} --push-type {push_type}", given)
    said = json.loads(opened or b"{}")
    said.pop("sealed-push", None)
    check(f"{what}: it opens", said == payload, opened)
    other = "fcm-data" if push_type == "fcm" else "fcm"
    tool(f"open --keys android/device.jwks --senders sender.pub.jwks --topic {APP} --push-type {other}", given, 65)


def enrol(name, signed, accepting=""):
    """A phone enrols, and proves its key and its token; `signed` gives its enrolment, which answers a request's payload."""
    accept = (f"keys accept --registrations registrations --registration {name} --person ada --audience {BACKEND} "
              f"--from sender.jwks{accepting}")
    asked = json.loads(tool(f"{accept} --new", signed(), 75))["request"]
    registered = json.loads(tool(accept, signed(asked["payload"])))
    check(f"{name} is registered", registered["change"] == "registered", registered)
    return asked


def signed_by_tool(device, options):
    def signed(asked=None):
        sign = f"keys enrol --keys {device}/device.jwks --audience {BACKEND} {options}"
        if asked is None:
            return tool(sign)
        (folder / "request.json").write_text(json.dumps(asked))
        return tool(f"{sign} --answer request.json --senders sender.pub.jwks")
    return signed


def java(line, given=b""):
    """The phone in Java."""
    done = subprocess.run(["java", "-XX:TieredStopAtLevel=1", "-cp", "jvm", "sealedpush.Main", *line.split()], cwd=folder,
                          input=given, capture_output=True, timeout=120)
    check(f"java sealedpush.Main {line}", done.returncode == 0, done.stderr.decode())
    return done.stdout


def java_opens(data):
    """What the phone in Java says of what FCM brings."""
    given = json.dumps(data).encode() + b"\n"
    return json.loads(java(f"open --keys java.jwks --senders sender.pub.jwks --topic {APP} --memory java.memory", given))


def java_enrols(asked=None):
    proof = f" --proof {java_opens(asked)['proof']}" if asked else ""
    return java(f"enrol --keys java.jwks --identity java.identity --topic {APP} --audience {BACKEND} --token {JAVA}{proof}")


def main():
    for path in ("iphone", "android"):
        (folder / path).mkdir()
    for path in ("sender", "iphone/device", "android/device"):
        tool(f"keys new --role {path.rpartition('/')[2]} --out {path}.jwks")
        tool(f"keys export --keys {path}.jwks --out {path}.pub.jwks")
    (folder / "payload.json").write_text(json.dumps(PAYLOAD))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Google)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = fcm.FCM("lunch", lambda: ACCESS, f"http://127.0.0.1:{server.server_port}")

    # Enrolments: who does not deliver through FCM refuses one, and a proof request goes as data.
    android = f"--service fcm --topic {APP} --token {TOKEN}"
    enrolment = tool(f"keys enrol --keys android/device.jwks --audience {BACKEND} {android}")
    accept = f"keys accept --registrations other --registration a --new --audience {BACKEND} --from sender.jwks"
    tool(accept, enrolment, 65)
    check("nothing is written", not (folder / "other").exists())
    enrol("iphone-1", signed_by_tool("iphone", f"--topic {IOS} --token {DEVICE_TOKEN}"))
    asked = enrol("android-1", signed_by_tool("android", android), " --service fcm")
    check("a proof request is for FCM", asked["service"] == "fcm" and asked["is_proof_request"] is True, asked)
    check("it is NORMAL, for 28 days", asked["message"]["android"] == {"priority": "NORMAL", "ttl": "2419200s"}, asked)
    check("its data is the payload", asked["message"]["data"] == asked["payload"], asked)
    client.send({"message": asked["message"]})
    check("FCM takes it", Google.seen[-1] == asked["message"])

    # One payload to one phone.
    seal = f"seal --to android/device.pub.jwks --from sender.jwks --topic {APP} --in payload.json"
    for push_type, priority in (("fcm", "HIGH"), ("fcm-data", "NORMAL")):
        request = json.loads(tool(f"{seal} --push-type {push_type}"))
        check(f"{push_type}: android", request["message"]["android"] == {"priority": priority, "ttl": "2419200s"}, request)
        request["message"]["token"] = TOKEN
        check(f"{push_type}: the name", client.send(request) == f"projects/lunch/messages/{len(Google.seen)}")
        opens(push_type, Google.seen[-1], push_type)
        given = json.dumps(request).encode()
        tool(f"lint --push-type {push_type} --strict", given)
        tool(f"inspect --push-type {push_type}", given)
    opens("the data alone", {"data": json.loads(tool(f"{seal} --push-type fcm --bare"))})
    chosen = json.loads(tool(f"{seal} --push-type fcm --priority 5 --lifetime 1h --collapse-id chat"))["message"]["android"]
    check("what was chosen", chosen == {"priority": "NORMAL", "ttl": "3600s", "collapse_key": "chat"}, chosen)
    tool(f"{seal} --push-type fcm --headers headers.txt", status=64)
    tool(f"{seal} --push-type fcm-data --priority 10", status=65)
    tool(f"{seal} --bare", status=64)
    shown = {"message": {**Google.seen[-1], "notification": {"title": "Ada"}}}
    found = tool("lint --push-type fcm --strict --json", json.dumps(shown).encode(), 65)
    check("a notification is found", json.loads(found)["code"] == "visible-notification", found)

    # A person's phones, by one command.
    job = "2c75dea1-70b5-4c96-b740-1f3362cce2e9"
    lines = json.dumps({"to": {"person": "ada"}, "payload": PAYLOAD, "message_id": job}) + "\n"
    lines += json.dumps({"to": "android-1", "payload": PAYLOAD}) + "\n"
    command = f"seal --lines --recipients registrations --from sender.jwks --topic {IOS} --application-id {APP}"
    both, one = tool(command, lines.encode()).splitlines()
    pushes = json.loads(both)["pushes"]
    check("each service has its own", [push.get("service") for push in pushes] == [None, "fcm"], pushes)
    check("APNs gets headers and a body", {"headers", "body", "device_token", "environment"} <= pushes[0].keys(), pushes)
    check("FCM gets a message", pushes[1].keys() == {"device", "service", "device_token", "suite", "message"}, pushes)
    for line in (both, one):
        requests = fcm.requests(line)
        check("one of them is for FCM", len(requests) == 1, line)
        client.send(requests[0])
        opens("a line", Google.seen[-1])
        check("to its token", Google.seen[-1]["token"] == TOKEN)
    iphone_opens(pushes[0])
    call = tool(f"{command} --push-type voip", lines.encode().splitlines()[0] + b"\n", 65)
    check("a call is not for it", json.loads(call)["pushes"][1]["error"] == "not-carried-by-fcm", call)

    # What FCM answers.
    for tokens, error in ((Google.gone, fcm.Unregistered), (Google.busy, fcm.Later)):
        tokens.add(TOKEN)
        try:
            client.send(fcm.requests(one)[0])
            check(f"{error.__name__}", False)
        except fcm.FCMError as raised:
            check(f"{error.__name__}", type(raised) is error and getattr(raised, "seconds", 7) == 7, raised)
        tokens.clear()
    for what, request in (("a number", {"message": {"token": TOKEN, "data": {"a": 1}}}),
                          ("too long", {"message": {"token": TOKEN, "data": {"a": "x" * 4096}}})):
        try:
            client.send(request)
            check(f"FCM refuses {what}", False)
        except fcm.FCMError as raised:
            check(f"FCM refuses {what}", (raised.code, raised.status) == ("INVALID_ARGUMENT", 400), raised)
    tool(f"keys forget --registrations registrations --service fcm --token {TOKEN}")
    check("its registration is gone", b"android-1" not in (folder / "registrations").read_bytes())

    phone_in_java(command)
    packages()


def iphone_opens(push):
    opened = tool(f"open --keys iphone/device.jwks --senders sender.pub.jwks --topic {IOS}", push["body"].encode())
    check("the iPhone's opens", json.loads(opened)["aps"] == PAYLOAD["aps"], opened)


def phone_in_java(command):
    """A phone in Java takes the other one's place, and one command seals for it and for the iPhone."""
    subprocess.run([ROOT / "Examples/jvm/build.sh", folder / "jvm"], check=True)
    java("keys --keys java.jwks --kind X25519")
    enrol("java-1", java_enrols, " --service fcm")
    line = json.dumps({"to": {"person": "ada"}, "payload": PAYLOAD}).encode() + b"\n"
    iphone, android = json.loads(tool(command, line))["pushes"]
    check("Java: its token", android["device_token"] == JAVA, android)
    iphone_opens(iphone)
    for freshness in ("FIRST", "DUPLICATE"):
        said = java_opens(android["message"]["data"])
        found = json.loads(said.get("opened", "{}")).get("aps"), said.get("freshness")
        check(f"Java: it opens, {freshness}", found == (PAYLOAD["aps"], freshness), said)


def packages():
    """Both packages seal for Android what the tool opens."""
    enrol("android-2", signed_by_tool("android", f"--service fcm --topic {APP} --token {TOKEN}"), " --service fcm")
    registrations = (folder / "registrations").read_text()
    signer = (folder / "sender.jwks").read_text()
    try:
        sealedpush.read_registrations(registrations)
        check("Python refuses what it does not deliver to", False)
    except sealedpush.Refused as refused:
        check("Python refuses what it does not deliver to", refused.reason == "unsupported-service", refused)
    device = sealedpush.read_registrations(registrations, services=("apns", "fcm"))["android-2"]
    check("Python: the address", (device.service, device.topic, device.token, device.environment) == ("fcm", APP, TOKEN, None))
    sealer = sealedpush.Sealer(APP, sealedpush.SigningKey.parse(signer))
    for push_type in ("fcm", "fcm-data"):
        message = sealer.seal_fcm(PAYLOAD, device, push_type=push_type)
        opens(f"Python, {push_type}", message.request(TOKEN)["message"], push_type)
    largest = {"aps": {"alert": {"body": "x" * (2872 - len(',"sealed-push":{"v":1,"account":"' + "A" * 22 + '"}'))}}}
    opens("Python, the longest", sealer.seal_fcm(largest, device).request(TOKEN)["message"], payload=largest)
    for what, options in (("a priority", {"push_type": "fcm-data", "priority": "HIGH"}), ("a ttl", {"ttl": 2_419_201}),
                          ("a collapse key", {"collapse_key": ""}), ("a push type", {"push_type": "alert"})):
        try:
            sealer.seal_fcm(PAYLOAD, device, **options)
            check(f"Python refuses {what}", False)
        except sealedpush.SealError:
            check(f"Python refuses {what}", True)
    try:
        sealer.seal(PAYLOAD, device)
        check("Python seals no alert for Android", False)
    except sealedpush.SealError:
        check("Python seals no alert for Android", True)
    made = subprocess.run([sys.executable, "-m", "sealedpush", "--topic", APP, "--to", "android/device.pub.jwks", "--from",
                           "sender.jwks", "--push-type", "fcm", "--in", "payload.json"], cwd=folder, capture_output=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "Examples/python")}, timeout=60)
    check("python -m sealedpush", made.returncode == 0, made.stderr)
    opens("python -m sealedpush", json.loads(made.stdout)["message"])
    node = shutil.which("node")
    check("there is Node", node is not None)
    script = """
      import { readFileSync } from "node:fs";
      const { Refused, SealError, Sealer, SigningKey, readRegistrations } = await import(process.argv[1]);
      const text = readFileSync("registrations");
      const refused = (error, run) => { try { run(); return false; } catch (raised) { return raised instanceof error; } };
      const device = readRegistrations(text, { services: ["apns", "fcm"] }).get("android-2");
      const sealer = new Sealer("com.example.my_app", SigningKey.parse(readFileSync("sender.jwks")));
      const payload = readFileSync("payload.json");
      console.log(JSON.stringify({
        messages: ["fcm", "fcm-data"].map((pushType) => sealer.sealFCM(payload, device, { pushType }).request(device.token).message),
        refused: [
          refused(Refused, () => readRegistrations(text)), refused(SealError, () => sealer.seal(payload, device)),
          refused(SealError, () => sealer.sealFCM(payload, device, { pushType: "fcm-data", priority: "HIGH" })),
          refused(SealError, () => sealer.sealFCM(payload, device, { ttl: 2419201 })),
          refused(SealError, () => sealer.sealFCM(payload, device, { collapseKey: "" })),
        ],
      }));"""
    said = subprocess.run([node, "--input-type=module", "-e", script, str(ROOT / "Examples/node/index.mjs")],
                          cwd=folder, capture_output=True, timeout=60)
    check("Node seals", said.returncode == 0, said.stderr.decode())
    answer = json.loads(said.stdout or b'{"messages":[],"refused":[false]}')
    for push_type, message in zip(("fcm", "fcm-data"), answer["messages"]):
        check(f"Node, {push_type}: the token", message["token"] == TOKEN, message)
        opens(f"Node, {push_type}", message, push_type)
    check("Node refuses what it must", all(answer["refused"]), answer["refused"])


with tempfile.TemporaryDirectory() as path:
    folder = pathlib.Path(path)
    main()
end(60)
