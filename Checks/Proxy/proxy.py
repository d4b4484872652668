"""proxy.py: sealpushd send reaches the stand-in for APNs through squid and tinyproxy.

Usage: proxy.py FOLDER-OF-THE-TOOLS [squid] [tinyproxy]

The name of the stand-in is known to the proxies alone, so that nothing can reach it past them. What arrives is held against
what the stand-in has seen, and the connections against the proxy's own log.
"""
import json, os, pathlib, re, subprocess, sys, tempfile, time, urllib.parse, urllib.request

root = pathlib.Path(__file__).parent.parent
sys.path[:0] = [str(root), str(root / "Clients")]
from proxies import HOST, Squid, Tinyproxy  # noqa: E402
from results import check, end  # noqa: E402
from stand_in import StandIn  # noqa: E402

TOPIC, PUSHES = "com.example.app", 100
VARIABLES = {"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"}
# What a user of squid may have in a password, and what the file of tinyproxy can have.
PASSWORDS = {Squid: "open:se/s@me %", Tinyproxy: "OpenSesame2026"}


class Sender:
    """A folder with a sender's keys, and a stand-in with a phone."""

    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder
        folder.mkdir(mode=0o700)
        self.run("sealpush", "keys", "new", "--role", "sender", "--out", "sender.jwks")
        self.run("sealpush", "keys", "export", "--keys", "sender.jwks", "--out", "sender.pub.jwks")
        key = ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out",
               "AuthKey_ABCDE12345.p8"]
        subprocess.run(key, cwd=folder, check=True, capture_output=True)
        (folder / "AuthKey_ABCDE12345.p8").chmod(0o600)
        self.apns = StandIn(str(tools / "sealpushd"), folder, "--keys", "device.jwks", "--senders", "sender.pub.jwks",
                            "--host", HOST)

    def run(self, tool, *words):
        subprocess.run([self.tools / tool, *words], cwd=self.folder, check=True, capture_output=True)

    def start(self, *words, proxy=None, port=None):
        """Starts `send` with a URL of a proxy in its environment, which has no other proxy."""
        kept = {name: value for name, value in os.environ.items() if name.upper() not in VARIABLES}
        command = [
            self.tools / "sealpushd", "send", "--from", "sender.jwks", "--topic", TOPIC, "--key-file",
            "AuthKey_ABCDE12345.p8", "--key-id", "ABCDE12345", "--team-id", "FGHIJ67890", "--to", "device.pub.jwks",
            "--token", self.apns.phone["token"], "--sandbox", "--trust", self.apns.root.name, "--endpoint",
            f"{HOST}:{port or self.apns.port}", *words]
        return subprocess.Popen(command, cwd=self.folder, env=kept | ({"HTTPS_PROXY": proxy} if proxy else {}),
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def send(self, text, *words, **way):
        """Sends a push, and returns the exit status and what it said."""
        process = self.start("--timeout", "3s", *words, **way)
        output, errors = process.communicate(payload(text), timeout=120)
        return process.returncode, output + errors

    def seen(self, text, count=0):
        """The message IDs of the pushes that the phone shows with a text, as often as they came, once they are so many."""
        deadline = time.monotonic() + 20
        while len(found := self.listed(text)) < count and time.monotonic() < deadline:
            time.sleep(0.1)
        return found

    def listed(self, text):
        with urllib.request.urlopen(f"{self.apns.page}events", timeout=60) as events:
            rows = next((json.loads(line[6:]) for line in events if line.startswith(b"data: [")), [])
        return [row["id"] for row in rows if text in row["person"]]


def payload(text):
    return json.dumps({"aps": {"alert": {"title": "Ada", "body": text}}})


def url(proxy, password=None):
    if not proxy.user:
        return f"http://{proxy.place}"
    words = [urllib.parse.quote(word, safe="") for word in (proxy.user, password or proxy.password)]
    return f"http://{words[0]}:{words[1]}@{proxy.place}"


def refused(name, sender, text, said, **way):
    """Expects a push to end with what is said, and not to arrive; returns its message ID."""
    status, words = sender.send(text, **way)
    check(f"{name}: exit status", status == 75, f"{status} {words}")
    check(f"{name}: error", said in words, words)
    check(f"{name}: nothing arrives", not sender.seen(text))
    return re.search(r"--message-id ([0-9a-f-]{36})", words)[1]


def one(name, sender, proxy):
    """One push, and many in one run, each over one connection."""
    status, words = sender.send(f"one by {name}", proxy=url(proxy))
    check(f"{name}: one push", status == 0 and words.startswith("accepted by APNs"), words)
    check(f"{name}: it is shown once", len(sender.seen(f"one by {name}", 1)) == 1)
    process = sender.start("--lines", "--timeout", "60s", proxy=url(proxy))
    lines = [json.dumps({"payload": json.loads(payload(f"line {number} by {name}."))}) for number in range(PUSHES)]
    output, errors = process.communicate("\n".join(lines) + "\n", timeout=120)
    accepted = output.count('"status":200')
    check(f"{name}: {PUSHES} pushes", process.returncode == 0 and accepted == PUSHES, f"{accepted} {errors}")
    shown = sender.seen(f"by {name}.", PUSHES)
    check(f"{name}: each is shown once", len(shown) == len(set(shown)) == PUSHES, str(len(shown)))
    target = f"{HOST}:{sender.apns.port}"
    check(f"{name}: one CONNECT for each run", proxy.tunnels(2) == [target] * 2, str(proxy.tunnels(2)))


def refusals(name, sender, proxy):
    """A port that the proxy does not lead to, and a password that it does not know: nothing is lost."""
    said = f"the proxy {proxy.place} opens no connection to the server (status 403)"
    number = refused(f"{name}, forbidden port", sender, f"other port by {name}", said, proxy=url(proxy), port=9)
    if proxy.user:
        status = 407 if proxy.name == "squid" else 401
        said = f"the proxy {proxy.place} refuses the user or the password (status {status})"
        wrong = url(proxy, "wrong-password")
        refused(f"{name}, wrong password", sender, f"wrong by {name}", said, proxy=wrong)
        status, words = sender.send(f"wrong by {name}", proxy=wrong)
        check(f"{name}: no password is shown", "wrong-password" not in words and "ada" not in words, words)
        said = f"the proxy {proxy.place} wants a user and a password (status 407)"
        refused(f"{name}, no password", sender, f"nobody by {name}", said, proxy=f"http://{proxy.place}")
    status, words = sender.send(f"other port by {name}", "--message-id", number, proxy=url(proxy))
    check(f"{name}: the refused push is sent again", status == 0, words)
    check(f"{name}: under its ID", sender.seen(f"other port by {name}", 1) == [number])


def crash(name, sender, proxy):
    """The proxy dies while pushes go through it, and comes back."""
    process = sender.start("--lines", "--timeout", "60s", proxy=url(proxy))

    def say(numbers):
        for number in numbers:
            line = json.dumps({"payload": json.loads(payload(f"crash {number} of {name}."))})
            process.stdin.write(line + "\n")
        process.stdin.flush()

    say(range(20))
    answers = [process.stdout.readline() for _ in range(20)]
    proxy.kill()
    say(range(20, 40))
    proxy.start()
    output, errors = process.communicate(timeout=120)
    accepted = sum('"status":200' in line for line in answers + output.splitlines())
    check(f"{name}: pushes outlive the proxy", process.returncode == 0 and accepted == 40, f"{accepted} {errors}")
    shown = sender.seen(f"of {name}.", 40)
    check(f"{name}: each arrived", len(set(shown)) == 40, str(len(set(shown))))


def main(tools, kinds):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # squid reads its files as another user.
        folder.chmod(0o711)
        for kind in kinds:
            for user in (None, "ada"):
                name = kind.name + (" with a password" if user else "")
                place = folder / name.replace(" ", "-")
                place.mkdir(mode=0o711)
                # The page of a stand-in lists 200 pushes.
                sender = Sender(tools, place / "sender")
                with sender.apns, kind(place / "proxy", [sender.apns.port], user, PASSWORDS[kind]) as proxy:
                    status, words = sender.send(f"past {name}")
                    unknown = status == 64 and f"no host '{HOST}'" in words
                    check(f"{name}: nothing else knows the name", unknown, words)
                    one(name, sender, proxy)
                    refusals(name, sender, proxy)
                    crash(name, sender, proxy)
    end(least=30 * len(kinds))


if __name__ == "__main__":
    known = {"squid": Squid, "tinyproxy": Tinyproxy}
    main(pathlib.Path(sys.argv[1]).resolve(), [known[name] for name in sys.argv[2:] or known])
