"""service.py: the enrolment service does what its OpenAPI file says.

Usage: service.py FOLDER-OF-THE-TOOLS [EXAMPLES]

A phone goes its whole way: challenge, enrolment, proof, sign-out; each answer is validated. Then schemathesis makes
requests, right and wrong, from the file, and validates what the server answers. It must find the faults of a file that
is wrong.
"""
import json, os, pathlib, re, subprocess, sys, tempfile, time

import httpx, schemathesis
from ruamel.yaml import YAML

root = pathlib.Path(__file__).parent.parent.parent
sys.path.insert(0, str(root / "Checks/Clients"))
from stand_in import StandIn  # noqa: E402

FILE = root / "Documentation/enrolment-service.openapi.yaml"
SECRET = "0123456789abcdef" * 4
TOPIC, AUDIENCE = "com.example.app", "https://push.example.com"
LOGIN = {"SealedPush-Person": "ada", "SealedPush-Login": "login-1", "SealedPush-Login-Time": "1700000000"}


class Server:
    """A command of `sealpushd` that runs until the end, and what it logs."""

    def __init__(self, daemon, folder, *words):
        self.log = folder / f"{words[0]}.log"
        self.process = subprocess.Popen([daemon, *words], cwd=folder, stderr=self.log.open("w"))

    def __enter__(self):
        for _ in range(600):
            if '"started"' in self.log.read_text():
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise SystemExit(f"it does not start: {self.log.read_text()}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    @property
    def url(self):
        return "http://" + re.search(r'"listen":"([0-9.:]+)"', self.log.read_text())[1]


class Phone:
    """The files of a phone, by the tool."""

    def __init__(self, tool, folder, token):
        self.tool, self.folder, self.token = tool, folder, token

    def enrol(self, *words):
        line = ["keys", "enrol", "--keys", "device.jwks", "--identity", "identity.jwks", "--topic", TOPIC,
                "--environment", "sandbox", "--audience", AUDIENCE, "--token", self.token, *words]
        run = subprocess.run([self.tool, *line], cwd=self.folder, check=True, capture_output=True, text=True)
        return json.loads(run.stdout)

    def leave(self):
        line = ["keys", "leave", "--keys", "device.jwks", "--topic", TOPIC, "--audience", AUDIENCE]
        run = subprocess.run([self.tool, *line], cwd=self.folder, check=True, capture_output=True, text=True)
        return json.loads(run.stdout)


def as_the_proxy(person):
    """The headers by which the proxy says who is logged in."""
    return {"SealedPush-Secret": SECRET, **LOGIN, "SealedPush-Person": person}


def story(url, stand_in, phone, folder, session=as_the_proxy, registered=lambda: None, other_login=()):
    """A phone's whole way; each answer is validated, and is the one that is expected.

    `session` gives the headers of a person's session, and `registered` is called while the phone is registered. If the
    session is not what the file says, `other_login` is the check that looks for that.
    """
    schema = schemathesis.openapi.from_path(FILE)

    asked = 0

    def ask(operation, status, *, person="ada", headers=None, **arguments):
        nonlocal asked
        case = schema.find_operation_by_id(operation).Case(
            headers={**session(person), **({"SealedPush-Request": "1"} if "body" in arguments else {}),
                     **(headers or {})},
            **({"media_type": "application/json"} if "body" in arguments else {}), **arguments)
        response = case.call(base_url=url)
        assert response.status_code == status, (operation, response.status_code, response.content)
        case.validate_response(response, excluded_checks=list(other_login))
        asked += 1
        return response.json()

    issued = ask("issueChallenge", 200, body={"topic": TOPIC, "mode": "replace"})
    name = issued["registration"]
    enrolment = phone.enrol(f"--challenge={issued['challenge']}")
    pending = ask("enrol", 200, body={"registration": name, "enrolment": enrolment})
    assert pending["answer"] == "pending", pending
    assert ask("answer", 200, path_parameters={"id": pending["id"]}) == pending
    ask("answer", 404, path_parameters={"id": pending["id"]}, person="eve")
    push = stand_in.wait(lambda row: row["number"] == 1)
    (folder / "request").write_text(stand_in.details(push["number"])["payload"])
    proof = phone.enrol("--answer", "request", "--senders", "sender.pub.jwks")
    taken = ask("enrol", 200, body={"registration": name, "enrolment": proof})
    assert taken["answer"] == "registered", taken
    if session is as_the_proxy:
        leave = phone.leave()
        again = ask("enrol", 200, body={"registration": name, "enrolment": phone.enrol()})
        assert again["answer"] == "updated", again
        # The phone has enrolled since, and stays. Whoever hands the leave in does not learn that.
        assert ask("leave", 200, body=leave) == {"answer": "removed"}
        ask("issueChallenge", 200, body={"topic": TOPIC, "mode": "replace", "registration": name})
        refused = ask("leave", 200, body={"v": 1, "leave": "e30.e30.AA"})
        assert refused["answer"] == "refused", refused
        refused = ask("receipt", 200, body={"v": 1, "receipt": "e30.e30.AA"})
        assert refused == {"answer": "refused", "reason": "unsupported-algorithm"}, refused
    registered()
    refused = ask("enrol", 200, body={"registration": name, "enrolment": {"v": 2}})
    assert refused["answer"] == "refused", refused
    ask("signOut", 404, body={"registration": name}, person="eve")
    assert ask("signOut", 200, body={"registration": name}) == {"removed": name}
    ask("signOut", 404, body={"registration": name})
    if session is as_the_proxy:
        assert ask("leave", 200, body=phone.leave()) == {"answer": "removed"}
    return asked


def senders(url):
    headers = {"SealedPush-Secret": SECRET}
    first = httpx.get(f"{url}/v1/senders/{TOPIC}", headers=headers)
    assert first.status_code == 200 and first.text.count(".") == 2, first
    again = httpx.get(f"{url}/v1/senders/{TOPIC}", headers={**headers, "If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content, again


def fuzz(url, file, examples, folder):
    """Whether schemathesis finds nothing, and what it says."""
    words = [pathlib.Path(sys.executable).parent / "schemathesis", "run", file, "--url", url, "--seed", "1",
             "--max-examples", str(examples), "--generation-deterministic", "--no-color", "--phases",
             "examples,coverage,fuzzing"]
    (folder / "schemathesis.toml").write_text(f'[auth.openapi.proxy]\napi_key = "{SECRET}"\n')
    run = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True,
                         env={**os.environ, "SCHEMATHESIS_HOOKS": str(root / "Checks/Service/hooks.py")})
    return run.returncode == 0, run.stdout + run.stderr


def broken(folder):
    """The file with an answer's member that no server gives."""
    yaml = YAML()
    document = yaml.load(FILE)
    health = document["paths"]["/v1/health"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    health["required"].append("planted")
    path = folder / "broken.yaml"
    yaml.dump(document, path)
    return path


def make_keys(tool, folder):
    """Makes the files that a service, a worker and a phone need."""
    for line in ["keys new --role sender --out sender.jwks",
                 "keys export --keys sender.jwks --out sender.pub.jwks",
                 "keys new --role identity --out identity.jwks", "keys new --role root --out root.jwks",
                 f"keys sign-senders --keys root.jwks --senders sender.pub.jwks --topic {TOPIC} --out senders.jws"]:
        subprocess.run([tool, *line.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (folder / "proxy.secret").touch(0o600)
    (folder / "proxy.secret").write_text(SECRET + "\n")
    subprocess.run("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey.p8".split(),
                   cwd=folder, check=True, capture_output=True)
    (folder / "AuthKey.p8").chmod(0o600)


def main():
    tools = pathlib.Path(sys.argv[1]).resolve()
    examples = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    tool, daemon = tools / "sealpush", tools / "sealpushd"
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        make_keys(tool, folder)
        with StandIn(daemon, folder, "--keys", "device.jwks", "--senders", "sender.pub.jwks") as stand_in:
            phone = Phone(tool, folder, stand_in.phone["token"])
            worker = ("work", "--store", "push.sqlite", "--from", "sender.jwks", "--key-file", "AuthKey.p8",
                      "--key-id", "ABCDE12345", "--team-id", "FGHIJ67890", "--endpoint",
                      f"127.0.0.1:{stand_in.port}", "--trust", stand_in.root.name, "--audience", AUDIENCE)
            service = ("serve", "--store", "push.sqlite", "--listen", "127.0.0.1:0", "--secret-file", "proxy.secret",
                       "--senders", "senders.jws", "--audience", AUDIENCE)
            with Server(daemon, folder, *worker), Server(daemon, folder, *service) as server:
                answers = story(server.url, stand_in, phone, folder)
                senders(server.url)
                is_right, report = fuzz(server.url, FILE, examples, folder)
                if not is_right:
                    raise SystemExit(report)
                if fuzz(server.url, broken(folder), 1, folder)[0]:
                    raise SystemExit("schemathesis does not notice a file that is wrong")
    cases = re.search(r"(\d+) generated", report)
    print(f"{answers} answers of a story, and {cases[1] if cases else 'some'} random requests, are as the file says")


if __name__ == "__main__":
    main()
