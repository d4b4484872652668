"""Conditions that no single call shows: a full or read-only disk, a missing or unwritable folder, a full output.

Each flow meets each condition, is checked as after a fault, and then continues without it. Disks need root; a folder that
must not be written needs another user.
"""
import collections, contextlib, os, pathlib, subprocess

from interposed import Fault
from stage import Broken

NOBODY = 65534


class Condition:
    """A disk with this many pages left, or a read-only one."""

    def __init__(self, name, room=None):
        self.name, self.room = name, room
        # A shell does not start a command whose output it cannot open.
        self.takes_redirected = room is not None

    @contextlib.contextmanager
    def case(self, injection):
        """A case in a file system of its own, which is 1 MiB large."""
        outer = injection.new_folder()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", outer], check=True)
        try:
            yield injection.case(Fault(-1, self.name), outer)
        finally:
            subprocess.run(["umount", outer], check=True)

    def begin(self, folder):
        if self.room is None:
            (folder.parent / "shown").mkdir(exist_ok=True)
            subprocess.run(["mount", "-o", "remount,ro", folder.parent], check=True)
            return
        with open(folder.parent / "filler", "wb") as filler, contextlib.suppress(OSError):
            while True:
                os.write(filler.fileno(), bytes(4096))
        os.truncate(folder.parent / "filler", os.path.getsize(folder.parent / "filler") - self.room * 4096)

    def end(self, folder):
        if self.room is None:
            subprocess.run(["mount", "-o", "remount,rw", folder.parent], check=True)
        else:
            (folder.parent / "filler").unlink()


class FolderCondition(Condition):
    """A folder that must not be written, or that does not exist."""

    @contextlib.contextmanager
    def case(self, injection):
        yield injection.case(Fault(-1, self.name))

    def begin(self, folder):
        if self.name == "no folder":
            folder.rename(f"{folder}.away")
        else:
            folder.chmod(0o555)

    def end(self, folder):
        if self.name == "no folder":
            if folder.exists():
                raise Broken("the folder was made")
            pathlib.Path(f"{folder}.away").rename(folder)
        else:
            folder.chmod(0o700)


def conditions():
    """The conditions that this user can bring about."""
    folders = [FolderCondition("no folder")]
    if os.geteuid() != 0:
        return folders + [FolderCondition("read-only folder")]
    disks = [Condition(f"{room} pages left", room) for room in (0, 1, 2, 3, 20)] + [Condition("read-only disk")]
    try:
        subprocess.run(["unshare", "-m", "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        print("not tried: full and read-only disks, as none of our own can be mounted here")
        return folders
    return folders + disks


def attempt(injection, condition):
    """Tries a condition; returns the state of the files afterwards."""
    with condition.case(injection) as case:
        condition.begin(case.folder)
        try:
            run = injection.flow.run(case, case.fault)
        finally:
            condition.end(case.folder)
        state = injection.flow.look(case, run, case.fault)
        injection.flow.look_again(case, state)
        return state


def try_all(injections):
    """Tries all conditions on all flows; returns a tally for each condition, and a list of faults."""
    tallies, broken = collections.defaultdict(collections.Counter), []
    for condition in conditions():
        for injection in injections:
            if getattr(injection.flow, "redirected", None) and not condition.takes_redirected:
                continue
            tally = tallies[condition.name]
            tally["faults"] += 1
            try:
                tally[attempt(injection, condition)] += 1
            except (Broken, ValueError, LookupError, OSError) as fault:
                tally["broken"] += 1
                broken.append(f"{injection.flow.name}, {condition.name}: {fault!r}")
    return tallies, broken
