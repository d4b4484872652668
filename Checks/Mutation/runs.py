"""Runs of the Swift tests with a mutant on, and their results."""
import dataclasses, json, os, pathlib, resource, signal, subprocess, tempfile, time

from package import PACKAGE, REACHED, VARIABLE

# Tests that all start at once share the cores, so each would seem to take as long as all of them.
WIDTH = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"
SECONDS = 120
ALL_SECONDS = 900
# The part of that time after which a run with a mutant on counts as hanging if no test begins or ends.
QUIET = 1 / 4


@dataclasses.dataclass(frozen=True)
class Run:
    """How a run of tests ended: passed, failed, trap or timeout, and which tests did that; or any other end."""

    end: str
    tests: tuple = ()

    @property
    def is_kill(self):
        return self.end in ("failed", "trap", "timeout")


def run(bundle, filters, number=0, seconds=SECONDS, reached=None):
    """Runs the tests that one of the filters (regular expressions) matches, with a mutant on, until one fails; or with a
    file in which the reached mutants leave their marks."""
    # The run's folder also has the tests' own files, which a killed run leaves.
    with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o711)  # for tests that run as the user nobody for a while
        events = pathlib.Path(folder) / "events.jsonl"
        command = [str(bundle), "--testing-library", "swift-testing", "--event-stream-output-path", str(events),
                   "--event-stream-version", "0"]
        for pattern in filters:
            command += ["--filter", pattern]
        # A backtrace would take longer than the tests.
        process = subprocess.Popen(
            command, cwd=PACKAGE, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=os.environ | {"SWIFT_BACKTRACE": "enable=no", "TMPDIR": folder, VARIABLE: str(number), WIDTH: "4"}
            | ({REACHED: str(reached)} if reached else {}))
        try:
            code = wait(process, events, seconds, seconds * QUIET if number else seconds)
        finally:
            end(process, folder)
        return judged(code, list(read(events)))


def leave_no_core():
    """Keeps traps from writing their memory to disk."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))


def wait(process, events, seconds, quiet):
    """The exit status of a run; None if it has not ended, or need not, because a test has failed or nothing happens."""
    limit, heard, size = time.monotonic() + seconds, time.monotonic(), 0
    while time.monotonic() < min(limit, heard + quiet):
        try:
            return process.wait(0.5)
        except subprocess.TimeoutExpired:
            text = events.read_bytes() if events.exists() else b""
            if b'"kind":"issueRecorded"' in text:
                return None
            if len(text) > size:
                heard, size = time.monotonic(), len(text)
    return None


def end(process, folder):
    """Ends a run, and the processes that its tests have started: those with their own session work in the run's folder."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    for link in pathlib.Path("/proc").glob("[0-9]*/cwd"):
        try:
            if os.readlink(link).startswith(folder):
                os.kill(int(link.parent.name), signal.SIGKILL)
        except OSError:
            pass  # it has ended, or belongs to another user


def judged(code, events):
    """The result of a run, from its exit status and its events."""
    begun, ended, failed = {}, set(), []
    for event in events:
        name, _, place = event.get("testID", "").rpartition("/")
        kind = event["kind"]
        if kind == "testStarted" and ".swift:" in place:
            begun[name] = True
        elif kind == "testEnded":
            ended.add(name)
        elif kind == "issueRecorded" and not event["issue"].get("isKnown") and name not in failed:
            failed.append(name)
    if not begun:
        return Run("no tests")
    if failed:
        return Run("failed", tuple(failed))
    if code is None or code < 0:
        return Run("timeout" if code is None else "trap", tuple(name for name in begun if name not in ended))
    return Run("passed" if code == 0 else f"exit status {code}")


def read(events):
    """The events of a run."""
    if not events.exists():
        return
    for line in events.read_text(errors="replace").split("\n"):  # a message may contain other line separators
        try:
            record = json.loads(line)
        except ValueError:
            continue  # a kill can cut the last line
        if record.get("kind") == "event":
            yield record["payload"]
