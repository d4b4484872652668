"""Kills the tool while it holds keys: it leaves no core, no report and no memory, and no other process can read it.

Under root, the tool runs as the user `nobody`, to whom permissions apply. Each check also runs on a program without
protection, where it must find the opposite.

Usage: crashes.py SEALPUSH_BINARY
"""
import itertools, os, pathlib, resource, shutil, signal, subprocess, sys, tempfile, time

from stage import NOW, TOPIC
from system_calls import Broken
from waiting import Folder, Waiting, libc

NOBODY = 65534
SIGNALS = [getattr(signal, f"SIG{name}") for name in
           ("QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "SEGV", "SYS", "XCPU")]
REPORTS = ({}, {"SWIFT_BACKTRACE": "enable=yes,color=no,limit=8,registers=all"},
           {"SWIFT_BACKTRACE": "enable=yes,interactive=yes,threads=all,output-to=stderr"},
           {"SWIFT_BACKTRACE": "enable=tty,output-to=."}, {"MALLOC_CHECK_": "3", "LIBC_FATAL_STDERR_": "1"})
READ = f"--keys device.jwks --senders sender.pub.jwks --topic {TOPIC} --now {NOW} --in -"
WAITING = [f"open {READ}", f"simulate {READ}", f"inspect --keys device.jwks --topic {TOPIC} --in -",
           f"seal --to device.pub.jwks --from sender.jwks --topic {TOPIC} --in -",
           f"seal --to shared.jwks --from sender.jwks --topic {TOPIC} --in -",
           f"seal --lines --to device.pub.jwks --from sender.jwks --topic {TOPIC} --in -"]


def protected(folder):
    """Checks that the waiting tool allows no core, and that no other process can read its memory."""
    for line in WAITING:
        waiting = Waiting(folder, [folder.tool, *line.split()])
        core = next(line for line in waiting.proc("limits").read_text().splitlines() if line.startswith("Max core"))
        if core.split()[4:6] != ["0", "0"]:
            raise Broken(f"{line}: a core may be written: {core}")
        if ways := waiting.can_be_read():
            raise Broken(f"{line}: another process can look in by {', '.join(ways)}")
        waiting.killed(signal.SIGKILL)
    return len(WAITING)


def silent(folder):
    """Checks that the tool dies silently, whatever kills it."""
    deaths = 0
    for line, environment, number in itertools.product(WAITING, REPORTS, SIGNALS):
        waiting = Waiting(folder, [folder.tool, *line.split()], environment)
        has_core, output = waiting.killed(number)
        what = f"{line}: {number.name} with {environment}"
        if has_core:
            raise Broken(f"{what} leaves a core")
        if output:
            raise Broken(f"{what} prints {output[:400]!r}")
        if folder.listing() != folder.names:
            raise Broken(f"{what} leaves {set(folder.listing()) - set(folder.names)}")
        deaths += 1
    return deaths


def lonely(folder, vectors):
    """Checks that an opener that the tool starts gets only its streams and the tool's environment."""
    done = subprocess.run(
        [folder.tool, "vectors", "verify", "--vectors", vectors, "--opener", "ls /proc/self/fd >seen; env >>seen"],
        cwd=folder.path, env=folder.environment({}), capture_output=True)
    seen = (folder.path / "seen").read_text().split()
    # The fourth file is that of `ls`; the shell adds variables of its own.
    given = {f"{name}={value}" for name, value in folder.environment({}).items()}
    if done.returncode != 65 or seen[:4] != ["0", "1", "2", "3"] or not given <= set(seen[4:]) <= given | {
            f"PWD={folder.path}", f"OLDPWD={folder.path}", "SHLVL=1", "SHLVL=0", "_=/usr/bin/env"}:
        raise Broken(f"an opener gets {seen}")
    (folder.path / "seen").unlink()


def controls(folder, plain):
    """Checks that a program without protection can be read, and leaves a core and a report; prints what this system does not do."""
    waiting = Waiting(folder, ["/bin/cat"])
    if not {"mem", "environ", "fd/0"} <= set(waiting.can_be_read()):
        raise Broken("even a program without protection cannot be looked into: this proves nothing here")
    has_core, _ = waiting.killed(signal.SIGSEGV)
    if not has_core:
        print("Not tested: no program leaves a core here.")
    for path in folder.path.glob("core*"):
        path.unlink()
    waiting = Waiting(folder, [plain, "."], REPORTS[1], b"{")
    _, output = waiting.killed(signal.SIGILL)
    if b"rax" not in output and b"x0" not in output:
        raise Broken(f"even a program without protection prints no registers: {output[:200]!r}")
    for path in set(folder.listing()) - set(folder.names):
        os.unlink(path)


def check_start(tool, user):
    """Checks that the user can start the tool."""
    try:
        done = subprocess.run([tool, "--version"], capture_output=True, text=True)
        fault = done.stderr if done.returncode else ""
    except OSError as error:
        fault = str(error)
    if fault:
        raise Broken(f"nothing was tested: the user {user} cannot start the tool. The folder of the toolchain, which has "
                     f"its libraries, may be closed to him: {fault}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.rsplit("\n\n", 1)[1])
    start, programs = time.perf_counter(), pathlib.Path(tempfile.mkdtemp(prefix="crashes-tools."))
    programs.chmod(0o755)
    binary = pathlib.Path(sys.argv[1]).resolve()
    tool, plain = (shutil.copy(binary.parent / name, programs) for name in (binary.name, "extension-process"))
    vectors = shutil.copytree(pathlib.Path(__file__).parents[2] / "Vectors", programs / "Vectors")
    child = os.fork()
    if child:
        status = os.waitpid(child, 0)[1]
        shutil.rmtree(programs)
        sys.exit(os.waitstatus_to_exitcode(status))
    is_root = os.geteuid() == 0
    if is_root:
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        # Otherwise it could not read its own children.
        libc.prctl(4, 1, 0, 0, 0)
    try:
        check_start(tool, "nobody" if is_root else "that runs this")
        folder = Folder(tool)
        controls(folder, plain)
        commands, deaths = protected(folder), silent(folder)
        lonely(folder, vectors)
    except Broken as fault:
        sys.exit(f"FAILED {fault}")
    shutil.rmtree(folder.path)
    print(f"{commands} commands cannot be looked into while they wait, and die silently: {deaths} deaths; "
          f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
