"""Kills the tool again and again while it changes key files, and checks the files each time.

After each kill, the file is a complete set, the old or the new one, with every key that must stay. Beside it is at most
one unfinished file, which only its owner can read, and which the next command of this kind removes. Half of the kills are
spread over the whole run of a command; the other half comes between the appearance of the new file and the end.

Usage: kill_loop.py SEALPUSH_BINARY [COUNT [SEED]]
"""
import collections, os, pathlib, random, re, secrets, shutil, signal, sys, time

from commands import ALL, COMMANDS, ended
from key_sets import faults
from stage import UNFINISHED, Broken, Stage

DAY = 86_400


class Attempt:
    """A command on a stage, and the set that it found there."""

    def __init__(self, command, stage):
        self.command, self.stage = command, stage
        stage.now += stage.random.randrange(3 * DAY)
        if command.makes_the_file:
            (stage.folder / command.keys).unlink(missing_ok=True)
        self.before = self.prepared()
        self.then = self.given()
        stage.write("in", self.then["RAW"])
        stage.write("out", b"an old file\n")
        self.line = "keys " + command.words.format_map(self.then)

    def prepared(self):
        """Prepares the set before the command: of bounded size, and with the keys that the command needs."""
        name, stage = self.command.keys, self.stage
        before = stage.read(name, knows_it=True)
        if before and len(before.keys) > 20:
            stage.succeed(f"keys prune --keys {name} --now {stage.now + 60 * DAY}")
            before = stage.read(name)
        if self.command.first:
            stage.succeed("keys " + self.command.first.format(KEYS=name, NOW=stage.now))
            before = stage.read(name)
        if self.command.kid == "accepted" and not before.ends():
            stage.succeed(f"keys rotate --keys {name} --again --now {stage.now}")
            before = stage.read(name)
        return before

    def given(self):
        """The values of the placeholders in the command."""
        random, before, stage = self.stage.random, self.before, self.stage
        then = {"KEYS": self.command.keys, "OUT": "out", "IN": "in", "ROLE": stage.role, "NOW": stage.now,
                "RAW": secrets.token_bytes(32), "OPEN": "", "NEW": "a"}
        if before and before.opener:
            then |= {"OPEN": f"--passphrase-file {before.opener}", "NEW": "a" if before.opener == "b" else "b"}
        if self.command.kid:
            then["KID"] = random.choice(before.with_status(self.command.kid))
        if self.command.removable is ended:
            then["NOW"] = max(stage.now, min(before.ends()) + 1)
        return then

    def begin(self):
        """Starts the command without waiting."""
        self.process, self.began = self.stage.start(self.line), time.perf_counter()

    def wait_for_new_file(self, old):
        """Waits until there is a new unfinished file, or the process has ended."""
        while self.process.poll() is None:
            if any(UNFINISHED.fullmatch(name) and name not in old for name in os.listdir(self.stage.folder)):
                return

    def end(self):
        """Waits for the end, and returns whether it was a kill. Any other end than a kill and success is a fault."""
        errors = self.process.communicate(timeout=60)[1].decode()
        if self.process.returncode not in (0, -signal.SIGKILL):
            raise Broken(f"exit {self.process.returncode}: {errors}")
        return self.process.returncode != 0

    def look(self, was_killed):
        """The state now: "old" or "new". Anything else is a fault."""
        after = self.stage.read(self.command.keys)
        if self.before and after is None:
            raise Broken("the file is gone")
        found = after and faults(self.before, after, self.command.removable(self.before, self.then), self.then["NOW"])
        if found:
            raise Broken("; ".join(found))
        is_new = (after and after.data) != (self.before and self.before.data)
        if is_new and not (self.command.is_done and self.command.is_done(self.before, after, self.then)):
            raise Broken("the change is made in part")
        if self.command.output:
            output = (self.stage.folder / "out").read_bytes()
            is_written = output != b"an old file\n"
            if is_written and output != self.command.output(self.stage, after, self.then):
                raise Broken(f"the output is {output!r}")
            is_new = is_new if self.command.is_done and was_killed else is_written
        if not (was_killed or is_new):
            raise Broken("it said that it was done")
        self.look_at_unfinished(was_killed)
        return "new" if is_new else "old"

    def look_at_unfinished(self, was_killed):
        written = [self.command.keys] * bool(self.command.is_done) + ["out"] * bool(self.command.output)
        for name, unfinished in self.stage.unfinished().items():
            if len(unfinished) > 1 or not was_killed and name in written:
                raise Broken(f"left over: {', '.join(unfinished)}")
            path = self.stage.folder / unfinished[0]
            is_public = name == "out" and re.search(rb'"[dk]":', path.read_bytes()) is None
            if path.stat().st_mode & 0o077 and not is_public:
                raise Broken(f"{path.name} has the mode {path.stat().st_mode & 0o7777:o}")


class Loop:
    """Kills commands until there were enough kills."""

    def __init__(self, tool, seed):
        self.random = random.Random(seed)
        self.stages = {role: Stage(tool, role, self.random) for role in ALL}
        self.spans, self.tallies = {}, collections.defaultdict(collections.Counter)

    def attempt(self, command, role):
        """Runs a command once, and returns whether it was killed before its end."""
        stage, attempt = self.stages[role], None
        try:
            spans = self.spans.get((command, role)) or self.measure(command, role)
            attempt = Attempt(command, stage)
            old = set(os.listdir(stage.folder))
            is_aimed = self.random.random() < 0.5
            self.kill(attempt, old if is_aimed else None, spans[is_aimed])
            was_killed = attempt.end()
            # With this span, a fifth of the runs ends before the kill, however busy the machine is.
            spans[is_aimed] *= 1.015 if was_killed else 0.94
            state = attempt.look(was_killed)
            tally = self.tallies[command]
            tally[f"killed, {state}" if was_killed else "finished"] += 1
            if any(UNFINISHED.fullmatch(name) and name not in old for name in os.listdir(stage.folder)):
                tally["left over"] += 1
                if self.random.random() < 0.5:
                    self.undisturbed(command, role)
            return was_killed
        except Broken as fault:
            self.tallies[command]["broken"] += 1
            self.replace(stage, f"{attempt.line if attempt else command.name}: {fault}")
            return True

    def kill(self, attempt, old, span):
        """Starts a command, and kills it within a time from its start, or, if the old names are given, from the moment when
        there is an unfinished file."""
        attempt.begin()
        if old is not None:
            attempt.wait_for_new_file(old)
        self.pause(time.perf_counter() + self.random.uniform(0, span))
        attempt.process.send_signal(signal.SIGKILL)

    def replace(self, stage, fault):
        """Prints a stage's fault, keeps the stage for inspection, and continues with a fresh one."""
        print(f"BROKEN, kept in {stage.folder}: {fault}", flush=True)
        self.stages[stage.role] = Stage(stage.tool, stage.role, self.random)

    @staticmethod
    def pause(moment):
        """Waits until a moment; for the last half of a millisecond it keeps the processor busy."""
        time.sleep(max(0, moment - time.perf_counter() - 0.0005))
        while time.perf_counter() < moment:
            pass

    def undisturbed(self, command, role):
        """Runs a command without a kill; returns its duration, and the time from its new file to its end."""
        attempt = Attempt(command, self.stages[role])
        old = set(os.listdir(attempt.stage.folder))
        attempt.begin()
        attempt.wait_for_new_file(old)
        appeared = time.perf_counter()
        attempt.process.wait()
        ended = time.perf_counter()
        attempt.end()
        attempt.look(was_killed=False)
        return ended - attempt.began, ended - appeared

    def measure(self, command, role):
        self.spans[command, role] = list(self.undisturbed(command, role))
        return self.spans[command, role]

    def close(self):
        for stage in self.stages.values():
            shutil.rmtree(stage.folder)


def deck(count, random):
    """The commands to kill, each with a role's stage: `count` of them."""
    shares = sum(command.share for command in COMMANDS)
    cards = []
    for command in COMMANDS:
        cards += [(command, command.roles[i % len(command.roles)]) for i in range(-(-count * command.share // shares))]
    random.shuffle(cards)
    return cards


def report(tallies):
    columns = ["killed, old", "killed, new", "left over", "finished", "broken"]
    print(f"\n{'command':24}{'killed':>8}{'old set':>9}{'new set':>9}{'left over':>11}{'finished':>10}{'broken':>8}")
    rows = [(command.name, tallies[command]) for command in COMMANDS]
    rows.append(("all", sum((tally for _, tally in rows), collections.Counter())))
    for name, tally in rows:
        old, new, *rest = (tally[column] for column in columns)
        print(f"{name:24}{old + new:>8}{old:>9}{new:>9}{rest[0]:>11}{rest[1]:>10}{rest[2]:>8}")
    return rows[-1][1]


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit("usage: kill_loop.py SEALPUSH_BINARY [COUNT [SEED]]")
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else secrets.randbits(32)
    print(f"{count} kills, seed {seed}", flush=True)
    loop = Loop(pathlib.Path(sys.argv[1]).resolve(), seed)
    start = time.perf_counter()
    for index, (command, role) in enumerate(deck(count, loop.random)):
        # Kills that came too late do not count.
        if not any(loop.attempt(command, role) for _ in range(100)):
            sys.exit(f"{command.name} always ends before it can be killed")
        if index % 200 == 199:
            print(f"{index + 1} kills after {time.perf_counter() - start:.0f} s", flush=True)
    total = report(loop.tallies)
    loop.close()
    sys.exit(1 if total["broken"] else 0)


if __name__ == "__main__":
    main()
