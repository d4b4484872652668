"""Builds the copy of the package, without the mutants that do not compile: the compiler's errors show which, and they are
remembered."""
import concurrent.futures, json, os, pathlib, re, subprocess, sys

import targets
from package import PACKAGE, WORK, make

# The mutants that have not compiled, by key.
MEMORY = WORK / "uncompilable.json"
# Line numbers, which no test needs, take a part of a build's time.
FLAGS = ("-debug-info-format", "none")
# Errors that a mutant further up causes by leaving something out, and the operators of such mutants.
LATE = re.compile("initialized|missing return|must not fall through")
OMISSIONS = {"assignment", "throw", "return"}
ERROR = re.compile(r"^(/[^:\n]+\.swift):(\d+):(\d+): error: (.*)$", re.M)
# Arguments that the driver takes and a frontend does not: without and with a value.
OF_DRIVER = {"-emit-dependencies", "-emit-module", "-incremental", "-c", "-enable-batch-mode", "-serialize-diagnostics",
             "-j2", "-parseable-output", "-emit-objc-header", "-gnone", "-whole-module-optimization"}
OF_DRIVER_WITH_VALUE = {"-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path",
                        "-num-threads"}


class Compiling:
    """The mutants in the build: fewer after each error."""

    def __init__(self, faults, mutants):
        self.faults, self.memory = faults, set(json.loads(MEMORY.read_text())) if MEMORY.exists() else set()
        self.dropped = [mutant for mutant in mutants if mutant.key in self.memory]
        self.mutants = [mutant for mutant in mutants if mutant.key not in self.memory]
        self.left_out, self.planted = [], {}

    def build(self):
        """Builds the tests of the copy with all mutants that compile, and returns the program that runs them."""
        self.plant()
        self.probe()
        for _ in range(20):
            log = WORK / "build.log"
            with open(log, "wb") as file:
                result = subprocess.run(
                    ["swift", "build", "--build-tests", *FLAGS, "-Xswiftc", "-suppress-warnings"], cwd=PACKAGE,
                    stdout=file, stderr=subprocess.STDOUT, env=os.environ | {"SEALEDPUSH_STRICT": "0"})
            if result.returncode == 0:
                break
            text = log.read_text(errors="replace")
            if not self.drop(text):
                errors = sorted({line for line in text.splitlines() if "error:" in line})[:20]
                sys.exit("\n".join(["the copy does not compile:", *errors, f"all of it: {log}"]))
            self.probe()
        else:
            sys.exit(f"the copy still does not compile: {WORK / 'build.log'}")
        self.remember()
        path = subprocess.run(
            ["swift", "build", "--show-bin-path"], cwd=PACKAGE, check=True, capture_output=True, text=True).stdout
        return next(pathlib.Path(path.strip()).glob("*PackageTests.xctest"))

    def plant(self):
        """Writes the copy, with the remaining mutants."""
        self.planted, left_out = make(self.faults, self.mutants)
        self.left_out += left_out
        gone = set(left_out)
        self.mutants = [mutant for mutant in self.mutants if mutant not in gone]

    def remember(self):
        """Remembers the mutants that do not compile for the next build."""
        MEMORY.write_text(json.dumps(sorted(self.memory | {mutant.key for mutant in self.dropped}), indent=0))

    def probe(self):
        """Compiles only the changed files of each module, until they have no errors, which is much faster than a build. A
        module whose imports were never built has to wait for the build."""
        modules = {mutant.module for mutant in self.mutants}
        for _ in range(25):
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                texts = list(pool.map(self.errors, sorted(modules)))
            modules = {module for module, text in zip(sorted(modules), texts) if text}
            if not modules or not self.drop("\n".join(texts)):
                return

    def errors(self, module):
        """The errors of a module's files that have mutants."""
        command = frontend(module)
        if command is None:
            return ""
        owners = {mutant.path for mutant in self.mutants if mutant.module == module}
        primary = [str(PACKAGE / path) for path in sorted(owners) if path in self.planted]
        files = [str(PACKAGE / path) for path in files_of(module)]
        if not primary:
            return ""
        for file in primary:
            command += ["-primary-file", file, "-o", "/dev/null"]
        command += [file for file in files if file not in primary]
        result = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True, errors="replace")
        return "" if result.returncode == 0 or "no such module" in result.stderr else result.stderr

    def drop(self, text):
        """Drops the mutants that cause the compiler's errors, and returns whether there were any."""
        guilty = set()
        for path, line, column, message in {match.groups() for match in ERROR.finditer(text)}:
            name = path.removeprefix(f"{PACKAGE}/")
            if name in self.planted:
                guilty |= self.guilty(name, int(line), int(column), message)
        self.dropped += guilty
        self.mutants = [mutant for mutant in self.mutants if mutant not in guilty]
        if guilty:
            self.plant()
        return bool(guilty)

    def guilty(self, path, line, column, message):
        """The innermost mutant at the place of an error in the copy; otherwise the last one above it that leaves something out."""
        lines = (PACKAGE / path).read_bytes().split(b"\n")
        place = sum(len(text) + 1 for text in lines[:line - 1]) + column - 1
        spans = [(owner, span) for owner, span in self.planted[path] if owner in set(self.mutants)]
        around = [(end - start, owner.key, owner) for owner, (start, end) in spans if start <= place < end]
        if around and not LATE.search(message):
            return {min(around)[2]}
        above = [(end, owner.key, owner) for owner, (_, end) in spans if end <= place]
        omissions = [each for each in above if each[2].operator in OMISSIONS and each[0] > place - 4000]
        for kind in omissions, around, above:
            if kind:
                return {(min if kind is around else max)(kind)[2]}
        return {owner for owner, _ in spans}


def files_of(module):
    """The files of a module in the copy."""
    folder = PACKAGE / targets.folder(module)
    return [str(path.relative_to(PACKAGE)) for path in sorted(folder.rglob("*.swift"))
            if targets.owner(str(path.relative_to(PACKAGE))) == module]


def frontend(module):
    """The command that compiles some files of a module as far as the compiler finds errors; None before the first build."""
    manifest = PACKAGE / ".build/debug.yaml"
    if not manifest.exists():
        return None
    text = manifest.read_text()
    if (start := text.find(f'"C.{module}-')) < 0:
        return None
    start = text.index("args: ", start) + len("args: ")
    compiler, *words = json.loads(text[start:text.index("\n", start)])
    command, position = [compiler, "-frontend", "-emit-sil"], 0
    while position < len(words):
        word = words[position]
        if word in OF_DRIVER_WITH_VALUE:
            position += 1
        elif word not in OF_DRIVER and not word.startswith("@") and not word.endswith(".swift"):
            command.append(word)
        position += 1
    return command
