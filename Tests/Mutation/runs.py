"""Runs of the Swift tests with a fault on, and what became of them."""
import dataclasses, json, os, resource, signal, subprocess

from package import PACKAGE, VARIABLE, WORK

EVENTS = WORK / "events.jsonl"
SECONDS = 120
ALL_SECONDS = 900


@dataclasses.dataclass(frozen=True)
class Run:
    """How a run of tests ended: passed, failed, trapped or hung; or with no tests, which is none of it."""

    end: str
    tests: tuple = ()

    @property
    def is_kill(self):
        return self.end in ("failed", "trap", "timeout")


def run(bundle, filters, number=0, seconds=SECONDS):
    """Runs the tests that one of the filters, regular expressions, matches, with a fault on."""
    EVENTS.unlink(missing_ok=True)
    command = [str(bundle), "--testing-library", "swift-testing", "--event-stream-output-path", str(EVENTS),
               "--event-stream-version", "0"]
    for pattern in filters:
        command += ["--filter", pattern]
    with open(WORK / "tests.log", "wb") as log:
        # A backtrace would take longer than the tests.
        process = subprocess.Popen(
            command, cwd=PACKAGE, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            env=os.environ | {"SWIFT_BACKTRACE": "enable=no", VARIABLE: str(number)}, preexec_fn=without_core)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            end(process)
    return judged(code)


def without_core():
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))


def end(process):
    """Ends a run, and whatever the tests have started in it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def judged(code):
    """What the exit status and the events of a run say."""
    begun, ended, failed = {}, set(), []
    for event in events():
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


def events():
    """The events of the last run."""
    if not EVENTS.exists():
        return
    for line in EVENTS.read_text(errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue  # a trap can cut the last line
        if record.get("kind") == "event":
            yield record["payload"]
