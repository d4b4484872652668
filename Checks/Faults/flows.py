"""The files that each command of the tool writes, and their allowed states after a fault.

A flow defines its folder before the run, the tool's arguments, and the files (targets) that it writes, in that order.
After a fault, each target is completely the old one or completely a new one.
"""
import dataclasses, re, shutil, typing

from interposed import Fault, check_end, check_order, must_be_told
from stage import LOCK, UNFINISHED, Broken

STATUSES = {1, 66, 73, 77}  # failed, no input, cannot create, no permission: the tool's statuses, from sysexits
UNDURABLE = "the disk did not confirm it"


@dataclasses.dataclass(frozen=True)
class Flow:
    """A command that writes files.

    `targets` are functions that say whether a file's bytes are right as new ones, given the old bytes, the case, and the
    other files. `redirected` is a file that the shell made; a part of its bytes may be left.
    """
    name: str
    words: str
    targets: dict
    prepare: typing.Callable = lambda stage, folder: None
    public: tuple = ()  # files that other users may read
    redirected: str | None = None
    again: str = ""  # more arguments for the next run, if the files exist
    follow: str | None = None  # the arguments of the next run, if everything was done and the same ones would do nothing
    spare: typing.Callable = lambda name: False  # other files that a kill may leave
    is_slow: bool = False  # only some faults are tried
    is_waited_for: bool = True  # the command waits until the disk has its files
    is_steady: bool = True  # each run makes the same calls

    def run(self, case, fault, words=""):
        line = f"{self.words} {words}".format(F=case.folder.name, I=case.stage.inputs, KID=case.stage.kid)
        stdout = case.folder / self.redirected if self.redirected else None
        return case.interposer.run([case.stage.tool, *line.split()], case.folder, fault, stdout=stdout,
                                   environment=case.environment)

    def look(self, case, run, fault):
        """The state after a run: "old", "new" or "partly". A forbidden state raises Broken."""
        was_killed = check_end(run, fault)
        after = case.snapshot()
        states = [self.state(name, is_right, case, after, run, was_killed) for name, is_right in self.targets.items()]
        written = [state == "new" for state in states if state != "same"]
        if written != sorted(written, reverse=True):
            raise Broken(f"out of order: {dict(zip(self.targets, states))}")
        for name in set(case.before) - set(self.targets):
            if after.get(name) != case.before[name]:
                raise Broken(f"{name}, which is not written, is another")
        self.look_at_rest(case, after, run, fault, was_killed)
        if not was_killed:
            self.look_at_status(run, fault, states)
        elif (run.output or run.errors) and states[0] == "old":
            raise Broken(f"it said more than it did: {run.errors}")
        return "new" if "old" not in states else "partly" if "new" in states else "old"

    def state(self, name, is_right, case, after, run, was_killed):
        old, new = case.before.get(name), after.get(name)
        if name == self.redirected:
            old = b"" if old is None else old
            is_whole = (new or b"") != old and is_right(new, old, case, after)
            if not is_whole and run.status == 0:
                raise Broken(f"{name} is {new!r}")
            return "new" if is_whole else "old"
        if new == old:
            return "same" if new and is_right(new, old, case, after) else "old"
        if new is None:
            raise Broken(f"{name} is gone")
        self.check_mode(case, name, name)
        if not is_right(new, old, case, after):
            raise Broken(f"{name} is neither old nor new: {new[:300]!r}")
        return "new"

    def check_mode(self, case, name, target):
        if target not in self.public and case.mode(name) != 0o600:
            raise Broken(f"{name} has the mode {case.mode(name):o}")

    def look_at_calls(self, calls):
        """Checks the calls of an undisturbed run."""
        check_order(calls, lambda path: self.is_waited_for)
        if self.redirected and ("close", f"/{self.redirected}") not in [call[1:] for call in calls]:
            raise Broken("the output is not closed")

    def look_at_status(self, run, fault, states):
        lines = [line for line in run.errors.splitlines() if re.match("sealpush: (error|hint): ", line)]
        if run.status == 0:
            if "old" in states or lines or must_be_told(run, fault):
                raise Broken(f"it said that it was done: {states} {run.errors}")
            return
        if fault.is_nothing or fault.at > 0 and not run.hit:
            raise Broken(f"status {run.status}: {run.errors}")
        if run.status not in STATUSES or not 1 <= len(lines) <= 2:
            raise Broken(f"status {run.status}, and says: {run.errors!r}")
        if set(states) == {"new"} and UNDURABLE not in run.errors and not fault.stays \
                and not (self.redirected and run.hit.name == "close"):
            raise Broken(f"it is done, and status {run.status} says: {run.errors}")

    def look_at_rest(self, case, after, run, fault, was_killed):
        for name in set(after) - set(self.targets) - set(case.before):
            match = UNFINISHED.fullmatch(name)
            target = match and match[1]
            if self.spare(name) and (was_killed or fault.stays or fault.word == "move"):
                continue
            if target not in self.targets:
                raise Broken(f"{name} is left over")
            can_be = was_killed or fault.stays or run.hit and run.hit.name == "unlinkat"
            if not can_be or sum(other.startswith(f".{target}.") for other in after) > 1:
                raise Broken(f"{name} is left over")
            self.check_mode(case, name, target)

    def look_at_removed(self, case, run, fault):
        """Checks a run whose folder was removed: it is not made again, and the tool reports what it could not do."""
        if case.folder.exists():
            raise Broken("the folder was made again")
        was_done = not any(call.name in ("renameat", "linkat") for call in run.calls if call.number >= fault.at)
        if run.status == 0 and not was_done:
            raise Broken(f"it said that it was done: {run.errors}")
        lines = [line for line in run.errors.splitlines() if re.match("sealpush: (error|hint): ", line)]
        if run.status < 0 or run.status and (run.status not in STATUSES or not 1 <= len(lines) <= 2):
            raise Broken(f"status {run.status}, and says: {run.errors!r}")

    def look_again(self, case, state):
        """Runs the command once more, undisturbed, or the one that follows it: everything is done, and no file is left over."""
        left = [name for name in case.snapshot() if UNFINISHED.fullmatch(name) or self.spare(name)]
        case.before = {name: data for name, data in case.snapshot().items() if name not in left}
        if state == "new" and self.follow:
            case.succeed(self.follow.format(F=case.folder.name, I=case.stage.inputs))
            found = [name for name in case.snapshot() if UNFINISHED.fullmatch(name)]
            if found:
                raise Broken(f"the next run leaves {found}")
            return
        for name in [name for name in left if self.spare(name) and "/" not in name]:
            shutil.rmtree(case.folder / name)
        if self.redirected:
            (case.folder / self.redirected).unlink(missing_ok=True)
            case.before.pop(self.redirected, None)
        is_there = any(name in case.before for name in self.targets)
        run = self.run(case, Fault(), self.again if is_there else "")
        if self.look(case, run, Fault()) != "new":
            raise Broken(f"the next run does nothing: {run.errors}")


class Case:
    """A folder of a flow, on which one fault is tried."""

    def __init__(self, flow, stage, interposer, folder, fault):
        self.flow, self.stage, self.interposer, self.folder, self.fault = flow, stage, interposer, folder, fault
        self.environment = {"TMPDIR": str(folder)}
        self.before = self.snapshot()

    def snapshot(self):
        """The bytes of every file in the folder and below, by name; a folder has none. Locks, which stay, are left out."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            if LOCK.fullmatch(path.name):
                if path.stat().st_mode & 0o7777 != 0o600 or path.stat().st_size:
                    raise Broken(f"{path.name} is no empty file of its owner's alone")
                continue
            found[str(path.relative_to(self.folder))] = b"" if path.is_dir() else path.read_bytes()
        return found

    def mode(self, name):
        return (self.folder / name).stat().st_mode & 0o7777

    def path(self, name):
        return f"{self.folder.name}/{name}"

    def succeed(self, words, status=0):
        done = self.stage.run(words, cwd=self.folder.parent)
        if done.returncode != status:
            raise Broken(f"{words}: {done.stderr.decode()}")
        return done.stdout
