"""The extension's files: the replay store, the log, attachments and kept envelopes; and the app, which opens the latter.

Whatever fails, each push shows something. A message that the store called the first is never the first again. An
attachment is shown complete or not at all.
"""
import json, os, time

from flows import UNFINISHED
from interposed import Fault, check_end, check_order
from stage import Broken
from tool_flows import PHOTO, TOPIC, inputs

BODY, PLACEHOLDER = "Lunch at noon?", "(Encrypted)"


def make_pushes(stage):
    """Makes payloads: an earlier message, one with an attachment, and one to a key that no device has."""
    seal = f"seal --from sender.jwks {TOPIC} --in payload.json"
    for name, words in (("earlier", "--to device.pub.jwks"), ("push", "--to device.pub.jwks --attach photo.json"),
                        ("lost", "--to 00.pub.jwks")):
        if name == "lost":
            stage.succeed("keys export --keys 00.jwks --out 00.pub.jwks")
        stage.write(name, stage.succeed(f"{seal} {words}") + b"\n")


def can_be_left(run, fault, was_killed):
    """Whether there may be an unfinished file: the process was killed, or the file could not be removed."""
    is_lost = fault.word in ("move", "remove")
    return was_killed or fault.stays or is_lost or run.hit is not None and run.hit.name == "unlinkat"


class ExtensionFlow:
    """A process that shows pushes, one after the other."""
    is_slow = is_steady = False
    spare = staticmethod(lambda name: False)

    def __init__(self, name, pushes, has_earlier=True, words="", kept=()):
        self.name, self.pushes, self.has_earlier, self.words, self.kept = name, pushes, has_earlier, words, kept

    def prepare(self, stage, folder):
        inputs("device.jwks", "sender.pub.jwks:senders.jwks", "photo.blob")(stage, folder)
        folder.chmod(0o700)
        if self.has_earlier:
            stage.show(folder, ["earlier", "lost"])
        if self.kept:
            stage.show(folder, self.kept, "--locked")

    def run(self, case, fault, pushes=None, words=None):
        shown = case.folder.parent / "shown"
        shown.mkdir(exist_ok=True)
        payloads = b"".join((case.stage.inputs / name).read_bytes() for name in pushes or self.pushes)
        words = self.words if words is None else words
        program = [case.stage.extension, str(case.folder), str(shown), *words.split()]
        return case.interposer.run(program, case.folder, fault, payloads)

    def look(self, case, run, fault):
        was_killed = check_end(run, fault)
        if run.status > 0:
            raise Broken(f"status {run.status}: {run.errors}")
        case.shown = run.output.decode().splitlines()
        if not was_killed:
            self.look_at_shown(case, fault, run)
        self.look_at_attachments(case, run, fault, was_killed)
        after = case.snapshot()
        if not (fault.word == "remove" and run.hit):
            self.look_at_log(case, after, was_killed)
        for name in ("device.jwks", "senders.jwks"):
            if fault.word != "remove" and after[name] != case.before[name]:
                raise Broken(f"{name} is another")
        for name in ("replay", "log", "kept"):
            left = [other for other in after if (match := UNFINISHED.fullmatch(other)) and match[1] == name]
            if len(left) > can_be_left(run, fault, was_killed) or any(case.mode(other) != 0o600 for other in left):
                raise Broken(f"{left} are left over")
        return "new" if case.shown == self.best(case) else "old" if PLACEHOLDER in str(case.shown) else "partly"

    def look_at_removed(self, case, run, fault):
        self.look(case, run, fault)

    def look_at_calls(self, calls):
        check_order(calls, lambda path: not path.startswith("/attachments"))

    def best(self, case):
        """The texts that are shown if nothing fails."""
        best = {"earlier": f"{BODY} +0 duplicate", "push": f"{BODY} +1 first", "lost": f"{PLACEHOLDER} +0 unopened"}
        return [best[name] if not self.words else f"{PLACEHOLDER} +0 unopened" for name in self.pushes]

    def look_at_shown(self, case, fault, run):
        if len(case.shown) != len(self.pushes):
            raise Broken(f"of {len(self.pushes)} pushes it showed {case.shown}")
        if fault.is_nothing and case.shown != self.best(case):
            raise Broken(f"it showed {case.shown}")
        for name, line in zip(self.pushes, case.shown):
            text, count, repetition = line.rsplit(" ", 2)
            is_opened = text == BODY and name != "lost" and repetition in ("first", "duplicate", "notChecked")
            if not (is_opened or line == f"{PLACEHOLDER} +0 unopened"):
                raise Broken(f"it showed {line}")
            if name == "earlier" and repetition == "first" and self.has_earlier:
                raise Broken("a message that was shown is shown as if it were new")

    def look_at_attachments(self, case, run, fault, was_killed):
        """A shown attachment has all of its bytes; other files are left only by a killed process."""
        for path in (case.folder.parent / "shown").iterdir():
            if path.read_bytes() != PHOTO:
                raise Broken("a part of an attachment is shown")
            path.unlink()
        folder = case.folder / "attachments"
        for path in folder.iterdir() if folder.exists() else ():
            # A file that the system does not take is removed after the hand-over, unless the process is gone by then.
            can_be = can_be_left(run, fault, was_killed) or run.hit and run.hit.name in ("stat", "lstat")
            is_ours = path.name.startswith((".sealed-push-", "sealed-push-"))
            if not (can_be and is_ours) or path.stat().st_mode & 0o7777 != 0o600:
                raise Broken(f"{path.name} is left over")
            if not path.name.startswith(".") and path.read_bytes() != PHOTO:
                raise Broken("a part of an attachment has its name")

    def look_at_log(self, case, after, was_killed):
        """The log is well-formed and still has its earlier entries; it may lack only entries of this run."""
        old, new = (json.loads(data) if data else {} for data in (case.before.get("log"), after.get("log")))
        if old and new.get("entries", [])[:len(old["entries"])] != old["entries"]:
            raise Broken(f"the log was {old} and is {new}")

    def look_again(self, case, state):
        """Shows all pushes again: first messages are now duplicates, and files that were left are removed when they are old."""
        was_first = [name for name, line in zip(self.pushes, case.shown) if line.endswith(" first")]
        attachments = case.folder / "attachments"
        for path in attachments.iterdir() if attachments.exists() else ():
            os.utime(path, (time.time() - 7200,) * 2)
        pushes = ["push"] + ["earlier"] * self.has_earlier
        run = self.run(case, Fault(), pushes, words="")
        lines = run.output.decode().splitlines()
        for name, line in zip(pushes, lines, strict=True):
            # A duplicate fetches nothing.
            if line not in (f"{BODY} +{int(name == 'push')} first", f"{BODY} +0 duplicate"):
                raise Broken(f"the next run shows {lines}")
            if (name in was_first or name == "earlier") and not line.endswith(" duplicate"):
                raise Broken(f"{name} was shown, and is shown as if it were new: {lines}")
        # Files that were left are removed when the next attachment is fetched.
        if lines[0].endswith(" first") and list(attachments.iterdir()):
            raise Broken(f"{list(attachments.iterdir())} are still left over")
        for path in (case.folder.parent / "shown").iterdir():
            path.unlink()
        if any(UNFINISHED.fullmatch(name) for name in case.snapshot() if name[1:].split(".")[0] in ("replay", "log")):
            raise Broken("the next run leaves an unfinished file")


class LockedFlow(ExtensionFlow):
    """The keys are locked: the envelope is kept, and the app opens it later. No kept envelope is lost."""

    def look_again(self, case, state):
        run = self.run(case, Fault(), words="--kept")
        lines = run.output.decode().splitlines()
        shown = len([line for line in case.shown if line])
        if set(lines) - {BODY} or len(lines) < len(self.kept):
            raise Broken(f"{len(self.kept)} were kept before, {shown} shown, and the app opens {lines}")
        self.check_empty(case)

    def check_empty(self, case):
        run = self.run(case, Fault(), words="--kept")
        left = [name for name in case.snapshot() if (match := UNFINISHED.fullmatch(name)) and match[1] == "kept"]
        if run.output or left:
            raise Broken(f"kept still: {run.output} {left}")


class KeptFlow(LockedFlow):
    """The app opens the kept envelopes: one is removed only after the app has its message."""

    def look(self, case, run, fault):
        was_killed = check_end(run, fault)
        if run.status > 0 and fault.is_nothing:
            raise Broken(f"status {run.status}: {run.errors}")
        case.shown = run.output.decode().splitlines()
        self.look_at_attachments(case, run, fault, was_killed)
        return "new" if len(case.shown) == len(self.kept) else "partly" if case.shown else "old"

    def look_again(self, case, state):
        run = self.run(case, Fault())
        had = len(case.shown) + len(run.output.decode().splitlines())
        if had < len(self.kept):
            raise Broken(f"of {len(self.kept)} the app had {had}")
        self.check_empty(case)


FLOWS = [
    ExtensionFlow("extension", ["push", "earlier"]),
    ExtensionFlow("extension, new folder", ["push"], has_earlier=False),
    ExtensionFlow("extension, unopened", ["lost"]),
    LockedFlow("extension, locked", ["push"], words="--locked", kept=["earlier"]),
    KeptFlow("kept, opened by the app", ["push"], words="--kept", kept=["earlier", "push"]),
]
