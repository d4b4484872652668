"""A newcomer who types a page's commands into one shell, on a machine of its own: a folder, a PostgreSQL cluster and ports.

The pages name fixed ports, in place of which a journey has free ones. A block whose first line is a file's name is that file.
"""
import contextlib, json, os, pathlib, pwd, queue, re, shlex, signal, socket, subprocess, sys, tempfile, threading, time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / "Clients")]
from cluster import Cluster
from results import check
from stand_in import StandIn

PORTS = ("2197", "2198", "9464")
FILE = re.compile(r"(?:#|--) (\w+\.(?:py|sql))\n")
# Each command that fails is noted, and the reader goes on.
SHELL = "set -E -o pipefail; trap 'echo \"failed: $BASH_COMMAND\" >>%s' ERR\n"
SECONDS = 60

# What nohup starts ignores this signal, and so would the worker.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def until(what, is_it, seconds=SECONDS):
    """What `is_it` returns, once that is true; asks again until then."""
    deadline = time.monotonic() + seconds
    while not (found := is_it()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds} seconds: {what}")
        time.sleep(0.02)
    return found


def free_ports(count):
    """Ports that nothing listens at."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [str(one.getsockname()[1]) for one in sockets]


class Terminal:
    """A bash that stays open, with the programs that it leaves in the background."""

    def __init__(self, folder, environment):
        self.notes = pathlib.Path(folder)
        self.process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [*map(self.lines.put, self.process.stdout), self.lines.put("")], daemon=True).start()
        self.failed, self.block = self.notes / "failed", self.notes / "block"
        self.type(SHELL % shlex.quote(str(self.failed)))

    def type(self, text):
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def run(self, block):
        """Runs a block; returns what it says, and the commands that failed."""
        self.failed.write_text("")
        self.block.write_text(block)
        mark = f"done {time.monotonic_ns()}"
        self.type(f". {shlex.quote(str(self.block))} </dev/null\nprintf '\\n%s\\n' '{mark}'\n")
        said = ""
        while (line := self.lines.get(timeout=SECONDS)) != f"{mark}\n":
            if not line:
                raise EOFError(f"the shell ended: {said}")
            said += line
        return said.removesuffix("\n"), self.failed.read_text().splitlines()

    def end(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(60)


class PageOfStandIn(StandIn):
    """The page of a stand-in that somebody else has started, and ends."""

    def __init__(self, address):
        self.page, self.origin = address, address.rsplit("/", 2)[0]

    def events(self, name, is_it):
        """Waits for an event with a value for which `is_it` holds, and returns what that returns."""
        deadline = time.monotonic() + SECONDS
        with urllib.request.urlopen(f"{self.page}events", timeout=SECONDS) as events:
            kind = ""
            for line in events:
                text = line.decode().rstrip("\n")
                kind = text.removeprefix("event: ") if text.startswith("event: ") else kind
                if kind == name and text.startswith("data: ") and (found := is_it(json.loads(text[6:]))):
                    return found
                if time.monotonic() > deadline:
                    raise TimeoutError(f"no such event: {name}")

    def app(self, phone, state):
        """Waits until the app on a phone says this of itself, and returns the phone."""
        return self.events("state", lambda page: next((
            one for one in page["phones"] if one["name"] == phone and one["app"]["state"] == state), None))

    def alerts(self, least, after=0):
        """The notifications since push number `after`, once there are at least so many, and no extension is at work."""
        rows = {}

        def settled(page):
            rows.update((row["number"], row) for row in page)
            found = [row for number, row in sorted(rows.items()) if number > after and "handed to the app" not in row["why"]]
            return len(found) >= least and all(row["why"] != "the extension works on it" for row in found) and found
        return self.events("pushes", settled)


class Journey:
    """`with Journey(tools) as journey`: a machine on which `journey.run(block)` does what a page says."""

    def __init__(self, tools):
        self.tools = pathlib.Path(tools).resolve()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            place = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self.home, notes = place / "home", place / "notes"
            for folder in (self.home, notes):
                folder.mkdir(mode=0o700)
            port, *ports = free_ports(1 + len(PORTS))
            self.ports = dict(zip(PORTS, ports))
            print(f"in place of the ports {', '.join(PORTS)}: {', '.join(ports)}")
            cluster = stack.enter_context(Cluster(fsync="off", listen_addresses="localhost", port=port))
            # As Debian has it, but whoever runs the check may also be the administrator.
            (cluster.folder / "data/pg_hba.conf").write_text("local all all trust\nhost all all samehost scram-sha-256\n")
            cluster.run("pg_ctl", "reload", "--pgdata=data")
            user = pwd.getpwuid(os.geteuid()).pw_name
            hidden = {name for name in os.environ if name.startswith("PG") or name.lower().endswith("_proxy")}
            self.environment = {name: value for name, value in os.environ.items() if name not in hidden} | {
                "PATH": f"{self.tools}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(self.home),
                "TMPDIR": str(notes), "USER": user, "PGHOST": str(cluster.folder), "PGPORT": port}
            self.terminal = Terminal(notes, self.environment)
            stack.callback(self.terminal.end)
            self.terminal.run(f"cd {shlex.quote(str(self.home))}")
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    @property
    def folder(self):
        return self.home / "tutorial"

    def here(self, text):
        """A text with the journey's ports."""
        return re.sub(rf"\b({'|'.join(PORTS)})\b", lambda port: self.ports[port[0]], text)

    def install(self, block):
        """Makes the database's user, as the line of a page for the administrator does."""
        line = next(line for line in block.splitlines() if "createuser" in line)
        said, failed = self.terminal.run(f"PGUSER=postgres {line.removeprefix('sudo -u postgres ')}")
        check(line, not failed, said)

    def write(self, block):
        """Writes a block into the file that its first line names."""
        (self.folder / FILE.match(block)[1]).write_text(self.here(block))

    def run(self, block, fails=()):
        """Runs a block, in which only commands fail that begin with `fails`; returns what it says."""
        said, failed = self.terminal.run(self.here(block))
        failed = [failure for failure in failed if not failure.startswith("failed: . /")]
        expected = [failure for failure in failed if fails and failure.startswith(f"failed: {fails}")]
        check(block.splitlines()[0], failed == expected and bool(expected) == bool(fails), f"{failed}: {said}")
        return said

    def log(self, name):
        """What a program has logged."""
        file = self.folder / name
        return file.read_text() if file.exists() else ""

    def started(self, name):
        """Waits until a program's log says that it has started."""
        until(f"{name} has a start", lambda: '"started"' in self.log(name))

    @property
    def page(self):
        """The page of the stand-in, once that has said where it is."""
        said = until("the stand-in's page", lambda: re.search(r"^page: (.+)$", self.log("apns.log"), re.M))
        return PageOfStandIn(said[1])

    def metric(self, name):
        """The sum of what a worker's metric has, over its labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.ports['9464']}/metrics", timeout=SECONDS) as answer:
            text = answer.read().decode()
        return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.M))

    def delivered(self):
        """Waits until the queue is empty."""
        def counts():
            said = subprocess.run([self.tools / "sealpushd", "queue", "--json", "--store", "postgresql:///push"],
                                  env=self.environment, capture_output=True, text=True, check=True, timeout=60).stdout
            return json.loads(said)
        until("the queue is empty", lambda: not any(counts()[name] for name in ("ready", "delayed", "leased")))
