"""proxy.py BIN NGINX: the proxy of deploy/kubernetes/serve.yaml, run by nginx, in front of a running `sealpushd serve`.

Its configuration is that of the manifest; only its folders, its ports and the place of the login are others. A client cannot
say who it is, what is too large is refused, and a leave and a receipt need no login.
"""
import http.server, json, os, pathlib, re, subprocess, sys, tempfile, threading, time, urllib.error, urllib.request

from ruamel.yaml import YAML

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import ROOT, check, end

SECRET = "0123456789abcdef" * 4
TOPIC, AUDIENCE = "com.example.app", "https://push.example.com"


class Session(http.server.BaseHTTPRequestHandler):
    """Says who is logged in: Ada, with her cookie."""

    def do_GET(self):
        is_ada = self.headers.get("cookie") == "session=ada"
        self.send_response(204 if is_ada else 401)
        if is_ada:
            for name, value in (("X-Person", "ada"), ("X-Login", "login 1"), ("X-Login-Time", "1700000000")):
                self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_):
        pass


def configuration(folder, **places):
    """The manifest's nginx.conf, at other places."""
    documents = YAML(typ="safe").load_all(ROOT / "deploy/kubernetes/serve.yaml")
    text = next(document for document in documents if document["kind"] == "ConfigMap")["data"]["nginx.conf"]
    for old, new in (("/tmp/", f"{folder}/"), ("/proxy-secret/", f"{folder}/"), ("/dev/stderr", f"{folder}/error.log"),
                     ("session.example.svc", places["session"]), ("127.0.0.1:8480", places["serve"]),
                     ("listen 8080;", f"listen 127.0.0.1:{places['port']};"), ("listen [::]:8080;", "")):
        check(f"nginx.conf has {old}", old in text)
        text = text.replace(old, new)
    # As root it would become another user, who reads nothing here.
    return ("user root;\n" if os.geteuid() == 0 else "") + text


def free_port():
    with http.server.HTTPServer(("127.0.0.1", 0), Session) as server:
        return server.server_port


def ask(port, path, body=None, **headers):
    """The status and the answer of a request; names of headers have underscores for hyphens."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/push{path}", data, headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def check_proxy(port, folder, leave):
    own = {"Content_Type": "application/json", "SealedPush_Request": "1"}
    challenge = {"topic": TOPIC, "mode": "replace"}
    ada = {"Cookie": "session=ada", **own}
    check("nobody gets a challenge without a login", ask(port, "/v1/challenges", challenge, **own)[0] == 401)
    forged = {"SealedPush_Person": "ada", "SealedPush_Login": "login 1", "SealedPush_Login_Time": "1700000000",
              "SealedPush_Secret": SECRET}
    check("nor with the proxy's own headers", ask(port, "/v1/challenges", challenge, **own, **forged)[0] == 401)
    status, text = ask(port, "/v1/challenges", challenge, **ada)
    check("a login gets one", status == 200 and json.loads(text)["seconds"] == 600, text)
    forged = {"SealedPush_Person": "eve", "SealedPush_Login": "x,y", "SealedPush_Login_Time": "x", "SealedPush_Secret": "x"}
    status, text = ask(port, "/v1/challenges", challenge, **ada, **forged)
    check("what a client says of itself is replaced", status == 200, text)
    check("a page changes nothing", ask(port, "/v1/challenges", challenge, **ada, Origin="https://example.com")[0] == 403)
    status, text = ask(port, f"/v1/senders/{TOPIC}", **ada)
    check("the senders' set is served", status == 200 and text.count(".") == 2)
    large = ask(port, "/v1/enrolments", {"registration": "x" * 40_000}, **ada)[0]
    check("a large body is refused", large == 413)
    status, text = ask(port, "/v1/leave", leave, **own)
    check("a leave needs no login", status == 200 and json.loads(text)["answer"] == "removed", text)
    status, text = ask(port, "/v1/receipts", {"v": 1, "receipt": "e30.e30.AA"}, **own)
    check("nor does a receipt", status == 200 and json.loads(text)["answer"] == "refused", text)
    check("nginx wrote no error but those that it should", "[emerg]" not in (folder / "error.log").read_text())


def main(bin, nginx):
    bin = pathlib.Path(bin).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def tool(line):
            return subprocess.run([bin / "sealpush", *line.split()], cwd=folder, capture_output=True, text=True, check=True).stdout

        for role in ("device", "sender", "root"):
            tool(f"keys new --role {role} --out {role}.jwks")
        tool("keys export --keys sender.jwks --out sender.pub.jwks")
        tool(f"keys sign-senders --keys root.jwks --senders sender.pub.jwks --topic {TOPIC} --out senders.jws")
        tool(f"keys enrol --keys device.jwks --topic {TOPIC} --token 00ff --audience {AUDIENCE}")
        leave = json.loads(tool(f"keys leave --keys device.jwks --topic {TOPIC} --audience {AUDIENCE}"))
        secret = folder / "proxy.secret"
        secret.write_text(f"{SECRET}\n")
        secret.chmod(0o600)
        # The command of Workers.md.
        subprocess.run('sed "s/.*/proxy_set_header SealedPush-Secret &;/" proxy.secret > header.conf', shell=True, cwd=folder,
                       check=True)
        session = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Session)
        threading.Thread(target=session.serve_forever, daemon=True).start()
        serve = subprocess.Popen(
            [bin / "sealpushd", "serve", "--store", "push.sqlite", "--listen", "127.0.0.1:0", "--secret-file", "proxy.secret",
             "--senders", "senders.jws", "--audience", AUDIENCE, "--probes", "0"], cwd=folder, stderr=subprocess.PIPE, text=True)
        proxy = None
        try:
            lines = (json.loads(line) for line in serve.stderr if line.startswith("{"))
            place, port = next(line["listen"] for line in lines if line["event"] == "started"), free_port()
            (folder / "nginx.conf").write_text(
                configuration(folder, session=f"127.0.0.1:{session.server_port}", serve=place, port=port))
            proxy = subprocess.Popen([nginx, "-e", folder / "error.log", "-c", folder / "nginx.conf", "-g", "daemon off;"])
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline and proxy.poll() is None:
                try:
                    ask(port, "/v1/health")
                    break
                except (urllib.error.URLError, ConnectionError):
                    time.sleep(0.05)
            check("nginx takes the configuration", proxy.poll() is None, (folder / "error.log").read_text())
            check_proxy(port, folder, leave)
        finally:
            for process in filter(None, (proxy, serve)):
                process.terminate()
                process.wait(60)
    end(least=15)


main(sys.argv[1], sys.argv[2])
