"""python3 backend.py FOLDER: the backends in Python and Node do what the enrolment service does. FOLDER has the tools.

A phone goes its whole way through each, and every answer is as the OpenAPI file says. It shows what the backend tells its
person, also while the tokens of many other enrolments are junk, and nothing after it has signed out.
"""
import contextlib, http.client, json, pathlib, subprocess, sys, tempfile, threading, urllib.parse, uuid
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / "Service")]
from schemathesis.specs.openapi.checks import ignored_auth
from results import ROOT, blocks, check, end
from service import AUDIENCE, SECRET, TOPIC, Phone, Server, make_keys, story
from stand_in import StandIn

sys.path.insert(0, str(ROOT / "Examples/backend"))
import backend as example

OWN = {"SealedPush-Request": "1", "Content-Type": "application/json"}
# What a client must not be able to say.
FORGED = {"SealedPush-Secret": "0" * 64, "SealedPush-Person": "ada", "SealedPush-Login": "ada's",
          "SealedPush-Login-Time": "1700000000"}


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


class Threaded(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class InPython:
    """Examples/backend/backend.py, on the worker's store."""

    def __init__(self, tools, folder):
        def who(environ):
            session = environ.get("HTTP_SESSION", "missing")
            return None if session == "missing" else (session, f"{session}'s", 1700000000)

        self.example = example.Backend(folder / "push.sqlite", TOPIC, folder / "senders.jws", who)

    def __enter__(self):
        self.server = make_server("127.0.0.1", 0, self.example, Threaded, Quiet)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        return self

    def __exit__(self, *_):
        self.server.shutdown()

    def tell(self, person, text):
        return self.example.tell(person, text, str(uuid.uuid4()))


class InNode:
    """Examples/backend/backend.mjs, in front of the service."""

    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder

    def __enter__(self):
        place = self.folder / "run"
        place.mkdir(mode=0o750)
        self.service = Server(self.tools / "sealpushd", self.folder, "serve", "--store", "push.sqlite", "--listen",
                              "unix:run/socket", "--secret-file", "proxy.secret", "--senders", "senders.jws")
        self.service.__enter__()
        self.process = subprocess.Popen(["node", HERE / "backend.mjs", "run/socket", SECRET], cwd=self.folder, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        self.service.__exit__()

    def tell(self, person, text):
        place = {"store": "push.sqlite", "topic": TOPIC, "job": str(uuid.uuid4()), "tool": str(self.tools / "sealpushd")}
        print(json.dumps([person, text, place]), file=self.process.stdin, flush=True)
        return self.process.stdout.readline() == "told\n"


def ask(url, method, path, session, headers=OWN, body=None):
    """The status, and the body if it is JSON."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)
    text = body if isinstance(body, (str, bytes, type(None))) else json.dumps(body)
    connection.request(method, path, text, {"session": session, **headers})
    answer = connection.getresponse()
    said = answer.read()
    connection.close()
    is_json = answer.headers.get_content_type() == "application/json"
    return answer.status, json.loads(said) if is_json else said


def junk(name, backend, tool, folder):
    """A hundred and more enrolments with tokens that APNs refuses."""
    made = 0
    for number in range(110):
        place = folder / f"{name}-{number}"
        place.mkdir()
        for role in ("device", "identity"):
            subprocess.run([tool, "keys", "new", "--role", role, "--out", f"{role}.jwks"], cwd=place, check=True,
                           capture_output=True)
        person = f"junk-{number // 10}"
        status, issued = ask(backend.url, "POST", "/v1/challenges", person, body={"topic": TOPIC, "mode": "replace"})
        enrolment = Phone(tool, place, f"{number + 1:064x}").enrol(f"--challenge={issued['challenge']}")
        status, said = ask(backend.url, "POST", "/v1/enrolments", person,
                           body={"registration": issued["registration"], "enrolment": enrolment})
        made += status == 200 and said["answer"] == "pending"
    check(f"{name}: junk is pending", made == 110, made)


def refusals(name, backend):
    """What a stranger, a web page and a client that is wrong get."""
    challenge = {"topic": TOPIC, "mode": "replace"}

    def status(session="eve", headers=OWN, body=challenge, path="/v1/challenges"):
        return ask(backend.url, "POST", path, session, headers, body)[0]

    for what, right, said in [
        ("nobody is logged in", 401, status("missing")), ("nobody is logged in, who says to be Ada", 401,
                                                          status("missing", {**OWN, **FORGED})),
        ("a web page", 403, status(headers={**OWN, "Origin": "https://example.org"})),
        ("another page's form", 403, status(headers={"Content-Type": "application/json"})),
        ("no JSON", 415, status(headers={**OWN, "Content-Type": "text/plain"})),
        ("half an object", 400, status(body="{")), ("a number", 400, status(body="1")),
        ("deep nesting", 400, status(body="[" * 30000)), ("a body of 33 KiB", 413, status(body=" " * (33 << 10))),
        ("another mode", 400, status(body={**challenge, "mode": "both"})),
        ("no topic", 400, status(body={"mode": "replace"})),
        ("another topic", 404, status(body={**challenge, "topic": "com.example.other"})),
        ("a registration that is no text", 400, status(body={"registration": 1}, path="/v1/sign-out")),
        ("half a letter", 400, status(body=r'{"registration":"\ud800"}', path="/v1/sign-out")),
        ("a path that is not there", 404, status(path="/v1/other")),
    ]:
        check(f"{name}: {what}", said == right, said)
    for number in ("x", "99999999999999999999", "1"):
        said = ask(backend.url, "GET", f"/v1/enrolments/{number}", "eve")[0]
        check(f"{name}: the answer {number}", said == 404, said)
    # An enrolment that is no such thing, under a name that is nobody's.
    for keys in (1, "x", "a.b.c", "a.W10.c"):
        body = {"registration": "none", "enrolment": {"keys": keys}}
        said = status(body=body, path="/v1/enrolments")
        check(f"{name}: the keys {keys}", said in (200, 404), said)
    said = [ask(backend.url, "POST", "/v1/challenges", "ida", body=challenge)[0] for _ in range(11)]
    check(f"{name}: ten challenges in an hour", said == [200] * 10 + [429], said)


def senders(name, backend, folder):
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(backend.url).netloc, timeout=60)
    tags = [{}]
    for status in (200, 304):
        connection.request("GET", f"/v1/senders/{TOPIC}", headers={"session": "ada", **tags[-1]})
        answer = connection.getresponse()
        said = answer.read()
        check(f"{name}: the set, {status}", answer.status == status and said == (
            (folder / "senders.jws").read_bytes().strip() if status == 200 else b""), answer.status)
        tags.append({"If-None-Match": answer.headers["ETag"]})
    connection.close()


def run(name, make, tools, folder):
    make_keys(tools / "sealpush", folder)
    with contextlib.ExitStack() as stack:
        stand_in = stack.enter_context(
            StandIn(tools / "sealpushd", folder, "--keys", "device.jwks", "--senders", "sender.pub.jwks"))
        stack.enter_context(Server(
            tools / "sealpushd", folder, "work", "--store", "push.sqlite", "--from", "sender.jwks", "--key-file",
            "AuthKey.p8", "--key-id", "ABCDE12345", "--team-id", "FGHIJ67890", "--endpoint",
            f"127.0.0.1:{stand_in.port}", "--trust", stand_in.root.name, "--audience", AUDIENCE))
        backend = stack.enter_context(make(tools, folder))
        refusals(name, backend)
        senders(name, backend, folder)

        def registered():
            junk(name, backend, tools / "sealpush", folder)
            check(f"{name}: it tells Ada", backend.tell("ada", "At noon?"))
            row = stand_in.wait(lambda row: row["person"] == "Lunch\nAt noon?")
            log = (folder / "work.log").read_text()
            check(f"{name}: APNs refuses the junk", '"reason":"BadDeviceToken"' in log and "route" not in log, log)
            check(f"{name}: Apple does not see it", "noon" not in row["apple"], row["apple"])

        phone = Phone(tools / "sealpush", folder, stand_in.phone["token"])
        answers = story(backend.url, stand_in, phone, folder, lambda person: {**FORGED, "session": person}, registered,
                        [ignored_auth])
        check(f"{name}: every answer is as the file says", answers == 9)
        if make is InPython:
            check(f"{name}: nobody is left to be told", not backend.tell("ada", "At one?"))
        else:
            said = ask(backend.url, "POST", "/v1/challenges", "odd", body={"topic": TOPIC, "mode": "replace"})[0]
            check(f"{name}: a person who fits into no header", said == 500, said)
            code = blocks("Documentation/Operating/Service.md", "js")
            text = (ROOT / "Examples/backend/backend.mjs").read_text()
            check("the page's code is the example's", len(code) == 1 and code[0] in text)


for name, make in (("Python", InPython), ("Node", InNode)):
    with tempfile.TemporaryDirectory() as place:
        run(name, make, pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(place))
end(least=60)
