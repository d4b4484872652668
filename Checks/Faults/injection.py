"""Tries the faults on one flow, each in a folder of its own."""
import collections, concurrent.futures, os, pathlib, shutil, tempfile

from faults import faults_of, is_quick
from flows import Case
from interposed import Fault
from stage import Broken

# How often a fault is tried on a flow whose calls depend on the timing of threads.
TRIES = 10


class Injection:
    """A flow, with a template that each case gets a copy of."""

    def __init__(self, flow, workshop, interposer):
        self.flow, self.workshop, self.interposer = flow, workshop, interposer
        self.tally = collections.Counter()
        self.template = pathlib.Path(tempfile.mkdtemp(dir=workshop.root)) / "template"
        self.template.mkdir()
        flow.prepare(workshop, self.template)

    def new_folder(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.template.parent)).resolve()

    def case(self, fault, outer=None):
        """A copy of the template, in a folder of its own."""
        folder = (outer or self.new_folder()) / "files"
        shutil.copytree(self.template, folder)
        return Case(self.flow, self.workshop, self.interposer, folder, fault)

    def list_calls(self):
        """The calls of an undisturbed run, which must do everything."""
        case = self.case(Fault())
        run = self.flow.run(case, case.fault)
        if self.flow.look(case, run, case.fault) != "new":
            raise Broken(f"undisturbed, {self.flow.name} does nothing: {run.output} {run.errors}")
        if not run.calls:
            raise Broken(f"none of the calls of {self.flow.name} was seen")
        self.flow.look_at_calls(run.calls)
        return run.calls

    def try_all(self, is_selection):
        """Tries every fault of every call, or a selection; returns a list of faults found."""
        calls = self.list_calls()
        faults = [(call, fault) for call in calls for fault in faults_of(call, call is calls[-1])
                  if not (is_selection or self.flow.is_slow) or is_quick(call, fault)]
        self.tally.update(calls=len(calls), faults=len(faults))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            broken = [text for text in pool.map(lambda pair: self.attempt(*pair), faults) if text]
        if self.tally["missed"] == len(faults):
            broken.append(f"{self.flow.name}: no fault was met")
        return broken

    def attempt(self, call, fault):
        """Tries a fault, and again if the run did not make the call; returns what is wrong, or None."""
        for _ in range(1 if self.flow.is_steady else TRIES):
            state, problem = self.attempt_once(call, fault)
            if state != "missed":
                break
        self.tally[state] += 1
        return problem

    def attempt_once(self, call, fault):
        """The state that a fault leaves, and what is wrong, or None."""
        case = self.case(fault)
        try:
            state = self.outcome(case, fault)
            shutil.rmtree(case.folder.parent)
            return state, None
        # The checks cannot read files either that are only half there.
        except (Broken, ValueError, LookupError, OSError) as broken:
            place = f"{fault.word} at {call.number} {call.name} {call.path}"
            return "broken", f"{self.flow.name}: {place}: {broken!r}\n  kept in {case.folder}"

    def outcome(self, case, fault):
        run = self.flow.run(case, fault)
        if not run.hit and self.flow.is_steady:
            raise Broken("the fault was not met")
        moved = pathlib.Path(f"{case.folder}.moved")
        if moved.exists():
            if case.folder.exists():
                raise Broken("the folder was made again")
            moved.rename(case.folder)
        if fault.word == "remove" and run.hit:
            self.flow.look_at_removed(case, run, fault)
            return "removed"
        state = self.flow.look(case, run, fault)
        self.flow.look_again(case, state)
        return state if run.hit else "missed"
