"""A folder with key files, in which the tool works."""
import collections, json, os, pathlib, re, secrets, subprocess, tempfile

from key_sets import KeySet

UNFINISHED = re.compile(r"\.(.+)\.[0-9a-f]{16}\.tmp")
LOCK = re.compile(r"\.sealed-push\.\d+\.lock")


class Broken(Exception):
    """A state that must never occur."""


class Stage:
    """A folder with the key files of a role, and a clock that advances."""

    def __init__(self, tool, role, random):
        self.tool, self.role, self.random, self.now = tool, role, random, 1_800_000_000
        self.known = {}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"kills.{role}."))
        for passphrase in ("a", "b"):
            self.write(passphrase, passphrase.encode() * 8)
        for name in ("keys.jwks", "encrypted.jwks"):
            self.succeed(f"keys new --role {role} --out {name} --now {self.now}")
        if role == "device":
            # Keys of two suites, so that half a rotation is possible.
            self.write("in", secrets.token_bytes(32))
            self.succeed("keys import --keys keys.jwks --role device --suite p256-aesgcm --format raw --in in "
                         f"--now {self.now}")

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data)
        path.chmod(0o600)

    def start(self, line):
        return subprocess.Popen([self.tool, *line.split()], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def run(self, line):
        return subprocess.run([self.tool, *line.split()], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=60)

    def succeed(self, line, status=0):
        done = self.run(line)
        if done.returncode != status:
            raise Broken(f"{line}: {done.stderr.decode()}")
        return done

    def unfinished(self):
        """The unfinished files, by the name that each would have got."""
        found = collections.defaultdict(list)
        for name in os.listdir(self.folder):
            if match := UNFINISHED.fullmatch(name):
                found[match[1]].append(name)
        return found

    def read(self, name, knows_it=False):
        """The set in a file, as the tool reads it; None if there is none.

        Bytes that were read before are not read again if `knows_it`, or if a passphrase makes that slow.
        """
        path = self.folder / name
        if not path.exists():
            return None
        if path.stat().st_mode & 0o7777 != 0o600:
            raise Broken(f"{name} has the mode {path.stat().st_mode & 0o7777:o}")
        data = path.read_bytes()
        is_encrypted = data.startswith(b'{"v":1,"encrypted"')
        known = self.known.get(name)
        if known and known.data == data and (knows_it or is_encrypted):
            return known
        for opener in ("a", "b") if is_encrypted else (None,):
            done = self.run(f"keys list --json --keys {name}" + (f" --passphrase-file {opener}" if opener else ""))
            if done.returncode == 0:
                self.known[name] = KeySet(data, json.loads(done.stdout), opener)
                return self.known[name]
        raise Broken(f"{name} cannot be read: {done.stderr.decode()}")
