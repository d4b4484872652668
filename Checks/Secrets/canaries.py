"""Runs every command with known secrets, and searches everything that it lets out for them.

Each command runs in a folder of its own, as it succeeds and as it fails. The search is for keys, passphrases and secrets
derived from them, in many forms and in pieces of 16 bytes. It covers standard output and error, the terminal, every file,
every byte that the process wrote by any call, the arguments and environment of the processes that it started, and its
memory when it ended. Sealed texts are searched for everywhere but in memory. First, programs that leak must be detected.

Usage: canaries.py SEALPUSH_BINARY [COUNT [SEED] | TEXT]
COUNT commands, chosen at random, or the commands with the TEXT
"""
import fnmatch, multiprocessing, os, pathlib, random, re, shutil, subprocess, sys, tempfile, time

from flow import Flow
from flows import all_flows
from forms import Canary, Needles
from sealed_push import unb64
from stage import Stage
from system_calls import Broken
from watched import SOURCES, Folder, Search, Watched

UNFINISHED = re.compile(r"\.(.+)\.[0-9a-f]{16}\.tmp")
IN_A_FILE = re.compile(rb'"[dk]" ?: ?"([\w-]{43})"')
# A file that is a store's row key, and nothing else.
ROW_KEY = re.compile(rb"\A([\w-]{43})\n\Z")
OF_A_BLOB = re.compile(rb'"key" ?: ?"([\w-]{22})"')
LEAST_LEAKS = 25
# A key in a file, as strace writes it.
IN_A_LOG = re.compile(rb"\\x22\\x(?:64|6b)\\x22\\x3a\\x22((?:\\x..){43})\\x22")


def new_keys(folder, known):
    """The keys in a folder's files, and the keys that a process wrote and removed again."""
    texts = set()
    for path in folder.files().values():
        texts |= set(IN_A_FILE.findall(path.read_bytes()) + ROW_KEY.findall(path.read_bytes()))
    log = folder.path / "strace"
    if log.exists():
        texts |= {bytes.fromhex(text.replace(b"\\x", b"").decode()) for text in IN_A_LOG.findall(log.read_bytes())}
    values = {unb64(text.decode()) for text in texts}
    return [Canary(f"new key {number}", value) for number, value in enumerate(sorted(values - known), 1)]


class Checker:
    """Runs flows, and reports what they let out."""

    only = None  # set in forked processes

    def __init__(self, tool, folder):
        self.search, self.stage = Search(folder), Stage(tool)
        self.programs = {"sealpush": tool} | {
            name: tool.parent / name for name in ("sealpushd", "extension-process")}
        canaries = [*self.stage.canaries.values()]
        values = {canary.value for canary in canaries}
        canaries += [Canary(f"key in a file, {canary.name}", canary.value) for canary in new_keys(self.stage, values)]
        self.known = {canary.value for canary in canaries}
        self.needles = Needles(canaries)
        self.search.prepare(self.needles)
        self.held = {name for name, path in self.stage.files().items() if self.search.find(path.read_bytes())}

    def look_for(self, watched):
        new = new_keys(watched.folder, self.known)
        self.current = Needles([*self.needles.canaries, *new]) if new else self.needles
        return self.current

    def check(self, flow, words=None):
        """The faults with their places, the number of keys that were made, and the number of searched bytes of memory."""
        folder = Folder(self.stage)
        try:
            self.current = self.needles
            answers = [self.stage.canaries[f"passphrase {name}"].value for name in flow.answers]
            stdin = folder.read(flow.stdin) if flow.stdin else b""
            watched = Watched(self.search, folder, words or [self.programs[flow.program], *flow.line.split()],
                              self.look_for, stdin, answers, flow.descriptors)
            shown = [Canary("a new blob's key", unb64(text.decode()), is_text=True)
                     for text in set(OF_A_BLOB.findall(watched.stdout)) if unb64(text.decode()) not in self.known]
            self.current = Needles([*self.current.canaries, *shown]) if shown else self.current
            self.search.prepare(self.current)
            new = len(self.current.canaries) - len(self.needles.canaries)
            return list(self.faults(flow, watched)), new, watched.searched or 0
        finally:
            folder.remove()

    def faults(self, flow, watched):
        if flow.status is not None and watched.status != flow.status:
            yield "status", f"{watched.status}, not {flow.status}: {watched.stderr.decode(errors='replace')}"
        if watched.searched is None:
            yield "memory", "the process did not end by itself, and nobody looked"
        for place in ("stdout", "stderr", "tty"):
            for canary, form in self.search.find(getattr(watched, place)).items():
                if not (place == "stdout" and canary.is_text and flow.shows):
                    yield place, f"{canary.name} as {form}"
        for place, data in watched.trace.writes:
            is_free = place == "stdout" or self.may_hold(place, flow, watched.folder)
            for canary, form in {} if is_free else self.search.find(data).items():
                yield "write", f"{canary.name} as {form}, to {place}"
        for call in watched.trace.started:
            for canary, form in self.search.find(call.data).items():
                yield "start", f"{canary.name} as {form}, to {call.strings[0]}"
        for call, fault in watched.trace.faults:
            if call not in flow.calls:
                yield "call", fault
        yield from self.file_faults(flow, watched.folder)
        for canary, form, place in watched.finds:
            if not canary.is_text and not flow.is_misplaced:
                yield "memory", f"{canary.name} as {form} in {place}"

    def may_hold(self, path, flow, folder):
        """Whether a file, or an unfinished form of it, may have secrets."""
        path = pathlib.Path(path)
        match = UNFINISHED.fullmatch(path.name)
        path = path.with_name(match[1]) if match else path
        if not path.is_relative_to(folder.path):
            return False
        name = str(path.relative_to(folder.path))
        return name in self.held or name in flow.makes or fnmatch.fnmatchcase(name, flow.passes)

    def file_faults(self, flow, folder):
        for name, path in folder.files().items():
            found = self.search.find(path.read_bytes())
            if UNFINISHED.fullmatch(path.name) or not name.startswith("work/"):
                yield "file", f"{name} is left over"
            if found and name not in self.held and name not in flow.makes:
                yield "file", f"{name} has {', '.join(canary.name for canary in found)}"
            if found and path.stat().st_mode & 0o077 and not name.endswith(("/open.jwks", "/open.pass")):
                yield "file", f"{name} has secrets and the mode {path.stat().st_mode & 0o777:o}"


def controls(checker, folder):
    """Runs programs that leak in one way each, all of which must be detected."""
    leak = folder / "leak"
    subprocess.run(["clang", "-O0", "-pthread", SOURCES / "leak.c", "-o", leak], check=True)
    ways = subprocess.run([leak], capture_output=True, text=True, check=True).stdout.split()
    if len(ways) < LEAST_LEAKS:
        raise Broken(f"there are {len(ways)} ways to leak, fewer than {LEAST_LEAKS}")
    for way in ways:
        place = way.partition("-")[0]
        faults, _, _ = checker.check(Flow(way, None), [leak, way, "device.raw"])
        if place == "none" and faults or place != "none" and place not in {place for place, _ in faults}:
            raise Broken(f"a program that leaks by {way} gives {faults}")
    return len(ways)


def chosen(flows, words):
    """The chosen flows; all without arguments."""
    if not words:
        return flows
    if not words[0].isdigit():
        return [flow for flow in flows if words[0] in flow.line]
    seed = int(words[1]) if len(words) > 1 else random.randrange(1 << 32)
    print(f"{words[0]} commands, seed {seed}", flush=True)
    return random.Random(seed).sample(flows, int(words[0]))


def check(flow):
    return Checker.only.check(flow)


def main():
    words = sys.argv[2:]
    if len(sys.argv) < 2 or len(words) > 2 or len(words) == 2 and not all(word.isdigit() for word in words):
        sys.exit(__doc__.rsplit("\n\n", 1)[1])
    start, folder = time.perf_counter(), pathlib.Path(tempfile.mkdtemp(prefix="secrets-tools."))
    checker = Checker.only = Checker(pathlib.Path(sys.argv[1]).resolve(), folder)
    leaks = controls(checker, folder)
    flows, needles = chosen(list(all_flows(checker.stage)), words), checker.needles
    faulty = made = searched = 0
    # One process for each flow, because each has its own search.
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        for flow, (faults, new, size) in zip(flows, pool.imap(check, flows)):
            faulty, made, searched = faulty + bool(faults), made + new, searched + size
            for place, fault in faults:
                print(f"FAILED {flow.line}: {place}: {fault}", flush=True)
    forms = sum(map(len, needles.names))
    print(f"{len(flows)} commands; {len(needles.canaries)} secrets in {forms} forms, {needles.count} pieces, and {made} "
          f"keys that were made meanwhile; {searched >> 20} MiB of memory; {leaks} leaks of other programs found; "
          f"{time.perf_counter() - start:.0f} s")
    print(f"{faulty} commands let something out" if faulty else "nothing was let out" if flows else "FAILED no command")
    checker.stage.remove()
    shutil.rmtree(folder)
    sys.exit(1 if faulty or not flows else 0)


if __name__ == "__main__":
    main()
