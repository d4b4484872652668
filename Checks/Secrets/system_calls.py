"""A program's system calls, as strace writes them."""
import pathlib, re

# Every call that writes, sends, opens, shares or starts something.
CALLS = ("write,pwrite64,writev,pwritev,pwritev2,sendto,sendmsg,sendmmsg,sendfile,splice,tee,vmsplice,copy_file_range,"
         "open,openat,openat2,creat,mknod,mknodat,memfd_create,socket,socketpair,connect,mmap,execve,execveat,"
         "process_vm_writev,io_uring_setup,shmget,mq_open,add_key,symlink,symlinkat")
WRITERS = {"write", "pwrite64", "writev", "pwritev", "pwritev2", "sendto", "sendmsg", "sendmmsg"}
OPENERS = {"open", "openat", "openat2", "creat"}
# Calls that no command of the tool needs.
FORBIDDEN = {"sendto", "sendmsg", "sendmmsg", "vmsplice", "memfd_create", "socket", "socketpair", "connect", "mknod",
             "mknodat", "process_vm_writev", "io_uring_setup", "shmget", "mq_open", "add_key", "symlink", "symlinkat"}
FOR_WRITING = re.compile(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)")
STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
LINE = re.compile(r"(\d+) +(?:<\.\.\. (\w+) resumed>)?(.*)")


class Broken(Exception):
    """The search cannot be trusted."""


class Call:
    def __init__(self, process, text):
        self.process = process
        self.name, _, self.arguments = text.partition("(")
        strings = STRING.findall(text)
        if any(more for _, more in strings):
            raise Broken(f"strace cut a string: {text[:200]}")
        self.strings = [bytes.fromhex(digits.replace("\\x", "")) for digits, _ in strings]
        result = re.search(r"\) += (-?\d+)[^)]*$", text)
        self.result = int(result[1]) if result else None

    @property
    def data(self):
        return b"\0".join(self.strings)

    @property
    def file(self):
        """The descriptor that is the first argument."""
        return int(re.match(r"\d+", self.arguments)[0])


def calls(log):
    """The calls in strace's file, each whole, in the order of their ends."""
    begun = {}
    for line in log.read_text(errors="replace").splitlines():
        match = LINE.fullmatch(line)
        if not match:
            raise Broken(f"not a line of strace's: {line[:200]}")
        process, resumed, text = match.groups()
        if text.endswith("<unfinished ...>"):
            begun[process] = text.removesuffix("<unfinished ...>")
        elif resumed:
            yield Call(process, begun.pop(process) + text)
        elif re.match(r"\w+\(", text):
            yield Call(process, text)
    # A write that never ended may still have happened.
    for process, text in begun.items():
        yield Call(process, text)


class Trace:
    """What a program wrote and where, and the calls that it did not need."""

    def __init__(self, log, folder, ours):
        self.writes, self.started, self.faults = [], [], []
        self.folder, self.ours = pathlib.Path(folder), ours
        self.files = {0: "stdin", 1: "stdout", 2: "stderr"}
        others = set()
        for call in calls(log):
            if call.name.startswith("execve"):
                if self.started or not call.result == 0:
                    others.add(call.process)
                self.started.append(call)
            elif call.process not in others:
                self.take(call)
        if not self.started or not self.has_ended_well():
            raise Broken("strace saw no program start: may processes be traced here?")

    def has_ended_well(self):
        return any(call.result == 0 for call in self.started)

    def take(self, call):
        if call.name in OPENERS:
            self.opened(call)
        elif call.name in WRITERS and call.file not in self.ours:
            self.writes.append((self.files.get(call.file, f"descriptor {call.file}"), call.data))
        if call.name in FORBIDDEN:
            self.faults.append((call.name, f"it called {call.name}({call.arguments[:80]}"))
        if call.name == "mmap" and "MAP_SHARED" in call.arguments and "PROT_WRITE" in call.arguments \
                and "MAP_ANONYMOUS" not in call.arguments:
            self.faults.append((call.name, f"it wrote to a file by mmap({call.arguments[:80]}"))

    def opened(self, call):
        path = pathlib.Path(self.base(call), call.strings[0].decode(errors="replace"))
        if call.result is not None and call.result >= 0:
            self.files[call.result] = str(path)
        flags = call.arguments.rsplit('"', 1)[1]
        is_elsewhere = self.folder not in path.parents and str(path) not in ("/dev/null", "/dev/tty")
        if (call.name == "creat" or FOR_WRITING.search(flags)) and is_elsewhere:
            self.faults.append((call.name, f"it opened {path} for writing"))

    def base(self, call):
        """The folder that a path is in, if it is a relative one."""
        folder = re.match(r"(\d+),", call.arguments)
        return self.files.get(int(folder[1]), "?") if folder else self.folder / "work"
