"""A program that waits for its input, and the data that others can read from it."""
import ctypes, fcntl, os, pathlib, resource, struct, subprocess, tempfile, termios, time

from stage import NOW
from system_calls import Broken

PATIENCE = 30  # seconds for anything that a process does
ATTACH, DETACH = 16, 17
libc = ctypes.CDLL(None, use_errno=True)


class Folder:
    """A folder with key files."""

    def __init__(self, tool):
        self.path, self.tool = pathlib.Path(tempfile.mkdtemp(prefix="crashes.")), tool
        for role in ("device", "sender", "shared"):
            self.run(f"keys new --role {role} --out {role}.jwks --now {NOW}")
        for role in ("device", "sender"):
            self.run(f"keys export --keys {role}.jwks --out {role}.pub.jwks")
        self.names = self.listing()

    def environment(self, more):
        places = {name: str(self.path) for name in ("HOME", "TMPDIR", "XDG_RUNTIME_DIR")}
        return {"PATH": os.environ["PATH"]} | places | more

    def run(self, line):
        subprocess.run([self.tool, *line.split()], cwd=self.path, env=self.environment({}), check=True,
                       capture_output=True)

    def listing(self):
        return sorted(str(path) for path in self.path.rglob("*"))


class Waiting:
    """A program that has read the beginning of its input, and waits for more."""

    def __init__(self, folder, words, environment=None, beginning=b"{"):
        most = resource.getrlimit(resource.RLIMIT_CORE)[1]
        limit = lambda: resource.setrlimit(resource.RLIMIT_CORE, (most, most))
        self.folder = folder
        self.process = subprocess.Popen(
            words, cwd=folder.path, env=folder.environment(environment or {}), preexec_fn=limit, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.process.stdin.write(beginning)
        self.process.stdin.flush()
        end = time.monotonic() + PATIENCE
        while self.unread() and time.monotonic() < end:
            time.sleep(0.001)
        if self.unread() or self.process.poll() is not None:
            raise Broken(f"{words} does not wait for its input")

    def unread(self):
        return struct.unpack("i", fcntl.ioctl(self.process.stdin, termios.FIONREAD, bytes(4)))[0]

    def proc(self, name):
        return pathlib.Path(f"/proc/{self.process.pid}/{name}")

    def killed(self, signal):
        """Kills the process; returns whether the system wrote a core, and the process's output."""
        self.process.send_signal(signal)
        end = time.monotonic() + PATIENCE
        while not (death := os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)):
            if time.monotonic() > end:
                self.process.kill()
                raise Broken(f"signal {signal} does not end the process")
            time.sleep(0.001)
        output = b"".join(self.process.communicate(timeout=PATIENCE))
        if self.process.returncode != -signal:
            raise Broken(f"signal {signal} ends the process with the status {self.process.returncode}")
        return death.si_code == os.CLD_DUMPED, output

    def can_be_read(self):
        """The ways in which another process of the same user can read its memory."""
        pid, ways = self.process.pid, []
        for name in ("mem", "environ", "auxv", "maps", "stack", "syscall", "fd/0", "root/.", "map_files", "pagemap"):
            try:
                path = self.proc(name)
                os.listdir(path) if name == "map_files" else os.close(os.open(path, os.O_RDONLY))
                ways.append(name)
            except OSError:
                pass
        if libc.ptrace(ATTACH, pid, None, None) == 0:
            ways.append("ptrace")
            os.waitpid(pid, 0)
            libc.ptrace(DETACH, pid, None, None)
        byte = ctypes.create_string_buffer(16)
        remote = (ctypes.c_size_t * 2)(self.stack(), 1)
        local = (ctypes.c_size_t * 2)(ctypes.addressof(byte), 1)
        if libc.process_vm_readv(pid, local, 1, remote, 1, 0) == 1:
            ways.append("process_vm_readv")
        return ways

    def stack(self):
        """An address in its memory, if that is said."""
        try:
            line = next(line for line in self.proc("maps").read_text().splitlines() if "[stack]" in line)
            return int(line.split("-")[1].split()[0], 16) - 64
        except (OSError, StopIteration):
            return 4096
