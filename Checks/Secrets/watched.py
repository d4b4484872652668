"""Runs a program in a folder of its own, under strace and with watch.c loaded, and keeps everything that it let out."""
import ctypes, fcntl, os, pathlib, shutil, signal, struct, subprocess, tempfile, termios, threading

from system_calls import CALLS, Broken, Trace

SOURCES = pathlib.Path(__file__).parent
PATIENCE = 120  # seconds for a program


class Search:
    """find.c, and watch.c as the library that programs load."""

    def __init__(self, folder):
        for name in ("find", "watch"):
            source, library = SOURCES / f"{name}.c", folder / f"{name}.so"
            subprocess.run(["clang", "-O2", "-shared", "-fPIC", "-fno-builtin", source, "-o", library], check=True)
        self.watch, self.library = folder / "watch.so", ctypes.CDLL(str(folder / "find.so"))
        self.library.find_next.restype = ctypes.c_long

    def prepare(self, needles):
        self.needles = needles
        if not self.library.find_prepare(needles.data, ctypes.c_size_t(needles.count)):
            raise Broken("there is no memory for the search")

    def find(self, data):
        """The secrets in some bytes, each once, with the form in which it was found."""
        found, place, start = {}, ctypes.c_size_t(), 0
        while (index := self.library.find_next(data, ctypes.c_size_t(len(data)), ctypes.c_size_t(start),
                                               ctypes.byref(place))) >= 0:
            secret, form = struct.unpack_from("<HH", self.needles.data, index * 20)
            canary, name = self.needles.describe(secret, form)
            found.setdefault(canary, f"{name} at {place.value}")
            start = place.value + 1
        return found


class Folder:
    """The folders that a program may write to: all that its environment names. It works in `work`."""

    PLACES = {"HOME": "home", "TMPDIR": "tmp", "XDG_CONFIG_HOME": "config", "XDG_CACHE_HOME": "cache",
              "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run"}

    def __init__(self, template=None):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="secrets."))
        if template:
            shutil.copytree(template.path / "work", self.work)
        for name in ("work", *self.PLACES.values()):
            (self.path / name).mkdir(mode=0o700, exist_ok=True)

    @property
    def work(self):
        return self.path / "work"

    @property
    def environment(self):
        places = {variable: str(self.path / name) for variable, name in self.PLACES.items()}
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"} | places

    def write(self, name, data, mode=0o600):
        path = self.work / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        path.chmod(mode)

    def read(self, name):
        return (self.work / name).read_bytes()

    def files(self):
        return {str(path.relative_to(self.path)): path for path in sorted(self.path.rglob("*")) if path.is_file()}

    def remove(self):
        shutil.rmtree(self.path)


class Watched:
    """A program that has ended, and everything that it let out."""

    def __init__(self, search, folder, words, needles, stdin=b"", answers=(), descriptors=()):
        """`needles` is called at the program's end, when its files are final. `answers` are typed on a terminal.
        `descriptors` are files that are open for it, from 3 on."""
        self.folder, self.finds, self.searched, self.tty = folder, [], None, b""
        self.needles, self.answers = needles, list(answers)
        self.log = folder.path / "strace"
        reports, reports_in = os.pipe()
        orders_out, orders = os.pipe()
        # Numbers above those of the program's own descriptors.
        ours = [fcntl.fcntl(end, fcntl.F_DUPFD, 200) for end in (reports_in, orders_out)]
        os.close(reports_in), os.close(orders_out)
        command = ["strace", "-f", "--seccomp-bpf", "-v", "-xx", "-s", str(1 << 26), "-e", "signal=none", "-e",
                   f"trace={CALLS}", "-o", self.log, "-E", f"LD_PRELOAD={search.watch}", "-E",
                   f"WATCH={ours[0]},{ours[1]}", *words]
        terminal = os.openpty() if answers else None
        process = subprocess.Popen(
            command, cwd=folder.work, env=folder.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, close_fds=False, start_new_session=True,
            preexec_fn=lambda: self.arrange(terminal, descriptors))
        for end in ours:
            os.close(end)
        threads = [threading.Thread(target=self.answer, args=(reports, orders))]
        if terminal:
            threads.append(threading.Thread(target=self.type, args=(terminal[0],)))
        for thread in threads:
            thread.start()
        try:
            self.stdout, self.stderr = process.communicate(stdin, timeout=PATIENCE)
        except subprocess.TimeoutExpired as late:
            # The program is killed too: otherwise it would go on without strace, and hold the pipes that the code below
            # waits for.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise Broken(f"{words} did not end") from late
        finally:
            if terminal:
                os.close(terminal[1])
            for thread in threads:
                thread.join()
        self.status = process.returncode
        if not self.log.exists():
            raise Broken(f"strace ended with {self.status}: {self.stderr.decode()}")
        self.trace = Trace(self.log, folder.path, ours)
        self.log.unlink()

    def arrange(self, terminal, descriptors):
        """Sets up the child's terminal and open files."""
        if terminal:
            fcntl.ioctl(terminal[1], termios.TIOCSCTTY, 0)
        files = [fcntl.fcntl(os.open(self.folder.work / name, os.O_RDONLY), fcntl.F_DUPFD, 100) for name in descriptors]
        for number, file in enumerate(files, 3):
            os.dup2(file, number)

    def answer(self, reports, orders):
        """Gives the ending program the needles to search for, and takes its findings."""
        with open(reports, "rb") as lines, open(orders, "wb", buffering=0) as orders:
            for line in lines:
                words = line.decode().split(maxsplit=4)
                if words == ["end"]:
                    needles = self.needles(self)
                    data = struct.pack("<I", needles.count) + needles.data
                    while data:
                        data = data[orders.write(data):]
                elif words[0] == "searched":
                    self.searched = int(words[1])
                elif words[0] == "found":
                    self.finds.append((*needles.describe(int(words[1]), int(words[2])), words[4].strip()))

    def type(self, terminal):
        """Answers each question on the terminal, and keeps the terminal's output."""
        answers = list(self.answers)
        while True:
            try:
                shown = os.read(terminal, 4096)
            except OSError:
                break
            if not shown:
                break
            self.tty += shown
            if shown.endswith(b": ") and answers:
                os.write(terminal, answers.pop(0) + b"\n")
        os.close(terminal)
