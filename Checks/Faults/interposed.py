"""Runs processes whose calls in a folder are numbered, and makes one of the calls fail.

`interposer.c` lists the faults.
"""
import collections, dataclasses, errno, os, pathlib, re, signal, subprocess, tempfile

from stage import Broken

SOURCE = pathlib.Path(__file__).with_name("interposer.c")
LIMIT = 30  # seconds, after which a process counts as hanging

Call = collections.namedtuple("Call", "number name path")


@dataclasses.dataclass(frozen=True)
class Fault:
    """A fault at a call; call 0 means none."""
    at: int = 0
    word: str = ""

    @property
    def kills(self):
        return self.word.startswith("kill")

    @property
    def stays(self):
        return self.word.startswith("stay")

    @property
    def is_nothing(self):
        """Whether the process must work as without the fault."""
        return self.at == 0 or self.word.startswith("short") or self.word == f"fail {errno.EINTR}"


@dataclasses.dataclass
class Run:
    """How a process ended, its output, and the call that failed, if the process made it."""
    status: int
    output: bytes
    errors: str
    calls: list
    hit: Call | None


class Interposer:
    """The library that numbers the calls."""

    def __init__(self, path):
        self.path = path

    @staticmethod
    def build(folder):
        """Builds the library into a folder, and returns its path."""
        path = folder / "interposer.so"
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", path, SOURCE, "-ldl"], check=True)
        return path

    def run(self, words, folder, fault=Fault(), input=b"", stdout=None, environment={}):
        """Runs a program whose calls in `folder` are counted; its output goes to the file `stdout`, if there is one."""
        folder = pathlib.Path(folder).resolve()
        with tempfile.NamedTemporaryFile("r") as listed:
            return self.run_listing(words, folder, fault, input, stdout, environment, listed)

    def run_listing(self, words, folder, fault, input, stdout, environment, listed):
        variables = {"LD_PRELOAD": str(self.path), "FAULTS_IN": str(folder), "FAULTS_LIST": listed.name,
                     "FAULTS_AT": str(fault.at), "FAULTS_DO": fault.word} | environment
        output = open(stdout, "ab") if stdout else subprocess.PIPE
        process = subprocess.Popen(words, cwd=folder.parent, env=os.environ | variables, stdin=subprocess.PIPE,
                                   stdout=output, stderr=subprocess.PIPE)
        try:
            written, errors = process.communicate(input, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Broken(f"it hangs for {LIMIT} s")
        finally:
            if stdout:
                output.close()
        lines = [re.fullmatch(r"(\d+) (\S+) (.*?)( !)?", line) for line in listed.read().splitlines()]
        calls = [Call(int(line[1]), line[2], line[3]) for line in lines]
        hit = next((call for call, line in zip(calls, lines) if line[4]), None)
        return Run(process.returncode, written or b"", errors.decode(), calls, hit)


def must_be_told(run, fault):
    """Whether written data is certainly lost, or not known to be on the disk, so that the tool must report it."""
    # Only a write is cut. If the calls of a run vary, another call may have its number, and nothing happens to it.
    is_failure = not fault.is_nothing and (
        fault.word.startswith("fail") or fault.word.startswith("cut") and run.hit and run.hit.name == "write")
    is_written = run.hit and (run.hit.name in ("create", "write", "fsync", "renameat", "linkat")
                              or run.hit.name == "close" and run.hit.path.endswith(".tmp"))
    return bool(is_failure and is_written)


def check_order(calls, is_waited_for=lambda path: True):
    """Checks that each file is on the disk before it gets its name, and the name soon after."""
    for index, call in enumerate(calls):
        if call.name not in ("renameat", "linkat") or not is_waited_for(call.path):
            continue
        before = [other.name for other in calls[:index] if other.path == call.path]
        after = [other.name for other in calls[index:] if other.path == call.path.rpartition("/")[0]]
        if before[-3:] != ["write", "fsync", "close"] or "fsync" not in after:
            raise Broken(f"{call.path} is not waited for: {before} {after}")


def check_end(run, fault):
    """Checks that the process was killed as planned; another signal is a fault."""
    was_killed = bool(fault.kills and run.hit)
    if run.status < 0 and not (was_killed and run.status == -signal.SIGKILL):
        raise Broken(f"signal {-run.status}: {run.errors}")
    if was_killed and run.status >= 0:
        raise Broken("it was to be killed, and was not")
    return was_killed
