"""`seal --lines`, which appends to its outputs while it runs: only complete lines, each once, and none is lost."""
import json, re

from interposed import Fault, check_end, must_be_told
from stage import Broken
from tool_flows import TOPIC

COUNT = 140
BAD = {7, 130, 139}


def make_jobs(stage):
    good, bad = '{"payload":{"aps":{"alert":"Lunch at noon?"}}}', '{"payload":7}'
    stage.write("jobs", "".join(f"{bad if n in BAD else good}\n" for n in range(1, COUNT + 1)).encode())


class LinesFlow:
    """Three chunks of lines, some of which cannot be sealed, into two files."""
    name = "seal --lines"
    is_slow = is_steady = False
    spare = staticmethod(lambda name: False)

    def prepare(self, stage, folder):
        pass

    def run(self, case, fault, words=""):
        line = (f"seal --lines --to {case.stage.inputs}/device.pub.jwks --from {case.stage.inputs}/sender.jwks {TOPIC} "
                f"--in {case.stage.inputs}/jobs {words or self.outputs(case)}")
        return case.interposer.run([case.stage.tool, *line.split()], case.folder, fault)

    def outputs(self, case, name="out"):
        return f"--out {case.path(name)} --errors {case.path(name)}.errors --force"

    def look(self, case, run, fault):
        was_killed = check_end(run, fault)
        sealed, failed = (self.numbers(case, name, was_killed) for name in ("out", "out.errors"))
        if fault.stays:
            # A written part of the failed chunk could not be taken back: at most the lines that cannot be sealed.
            failed = [number for number in failed if number <= max(sealed, default=0)]
        done = sorted(sealed + failed)
        if done != list(range(1, len(done) + 1)) and not was_killed:
            raise Broken(f"lines {done} are done")
        if set(failed) - BAD or set(sealed) & BAD:
            raise Broken(f"{failed} failed")
        self.is_all = len(done) == COUNT
        if was_killed:
            return "new" if self.is_all else "partly" if done else "old"
        self.look_at_status(run, fault, len(done))
        return "new" if self.is_all else "partly" if done else "old"

    def look_at_calls(self, calls):
        for name in ("/out", "/out.errors"):
            found = [call.name for call in calls if call.path == name]
            if found[-2:] != ["fsync", "close"]:
                raise Broken(f"{name} is not waited for: {found}")
        last = max(index for index, call in enumerate(calls) if call.name == "create")
        if ("fsync", "") not in [(call.name, call.path) for call in calls[last:]]:
            raise Broken(f"the names are not waited for: {calls[last:]}")

    def numbers(self, case, name, was_killed):
        """The numbers of a file's lines, all of which are complete, except the last one after a kill."""
        path = case.folder / name
        data = path.read_bytes() if path.exists() else b""
        if not data.endswith(b"\n") and data and not was_killed:
            raise Broken(f"{name} has a part of a line")
        return [json.loads(line)["line"] for line in data.splitlines(keepends=True) if line.endswith(b"\n")]

    def look_at_status(self, run, fault, count):
        lines = run.errors.splitlines()
        tally = f"{len(BAD)} of {COUNT} lines were not sealed"
        if run.status == 65 and lines == [f"sealpush: error: {tally}"]:
            if count != COUNT or must_be_told(run, fault):
                raise Broken(f"it said that it was done, and did {count}")
            return
        if unconfirmed := re.findall(r"^sealpush: error: the disk did not confirm files(/\S+)$", run.errors, re.M):
            # Only a fault that stays can make it fail earlier, and then the tool does not say how to continue.
            is_end = run.status == 1 and count == COUNT and lines[0] == f"sealpush: {tally}"
            is_stop = fault.stays and run.status in (1, 66) and lines[-1].startswith("sealpush: error: cannot ")
            # The message names no folder, because both files are in it.
            if not (is_end or is_stop) or run.hit.path not in ["", *unconfirmed] and is_end \
                    or len(lines) != 1 + len(unconfirmed):
                raise Broken(f"status {run.status}, {count} lines are done, and it says: {run.errors}")
            return
        if fault.is_nothing or run.status not in (1, 66, 73, 77) or not 1 <= len(lines) <= 2:
            raise Broken(f"status {run.status}: {run.errors!r}")
        hint = re.search(r"continue with --skip (\d+)", run.errors)
        if int(hint[1] if hint else 0) != count:
            raise Broken(f"{count} lines are done, and it says: {run.errors}")

    def look_at_removed(self, case, run, fault):
        if run.status not in (1, 65, 66, 73, 77) or len(run.errors.splitlines()) > 2:
            raise Broken(f"status {run.status}: {run.errors!r}")

    def look_again(self, case, state):
        """Continues after the last run's end, into other files: then every line is in one of the two."""
        sealed, failed = (self.numbers(case, name, True) for name in ("out", "out.errors"))
        done = sealed + [number for number in failed if number <= max(sealed, default=0)]
        if case.fault.kills:
            self.look(case, self.run(case, Fault()), Fault())
            return
        rest = self.run(case, Fault(), f"{self.outputs(case, 'rest')} --skip {len(done)}")
        more = [number for name in ("rest", "rest.errors") for number in self.numbers(case, name, False)]
        if sorted(done + more) != list(range(1, COUNT + 1)):
            raise Broken(f"{sorted(done + more)} are done, and it says: {rest.errors}")


FLOWS = [LinesFlow()]
