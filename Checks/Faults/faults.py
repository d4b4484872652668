"""The faults that each call can meet."""
from errno import (EACCES, EDQUOT, EFBIG, EINTR, EIO, EMFILE, EMLINK, ENOLCK, ENOMEM, ENOSPC, EPERM, EROFS,
                   EWOULDBLOCK)

from interposed import Fault

# How a call fails, once.
ONCE = {
    "open": (EACCES, EMFILE, EIO, EINTR),
    "create": (ENOSPC, EDQUOT, EROFS, EACCES, EMFILE, EIO, EINTR),
    "read": (EIO, EINTR),
    "write": (ENOSPC, EDQUOT, EFBIG, EIO, EINTR),
    "ftruncate": (EIO, EROFS, EINTR),
    "fsync": (EIO, ENOSPC, EINTR),
    "fchmod": (EPERM, EROFS, EIO),
    "flock": (ENOLCK, EWOULDBLOCK, EINTR),
    "fstat": (EIO,),
    "stat": (EACCES, EIO),
    "lstat": (EACCES, EIO),
    "fstatat": (EACCES, EIO),
    "faccessat": (EACCES, EROFS),
    "mkdir": (ENOSPC, EROFS, EACCES),
    "renameat": (ENOSPC, EDQUOT, EROFS, EACCES, EIO),
    "linkat": (EPERM, EMLINK, ENOSPC, EROFS, EIO),
    "unlink": (EROFS, EACCES, EIO),
    "unlinkat": (EROFS, EACCES, EIO),
    "rmdir": (EROFS, EACCES, EIO),
    "close": (EIO, ENOSPC, EDQUOT, EINTR),
    "fdopendir": (ENOMEM,),
    "readdir": (EIO,),
}
PARTS = ("short 1", "short 0", "cut 1", "cut 0", "kill-in")
TAKE_ROOM = {"create", "write", "mkdir", "linkat"}
CHANGE = TAKE_ROOM | {"ftruncate", "fchmod", "faccessat", "renameat", "unlink", "unlinkat", "rmdir"}


def faults_of(call, is_last):
    """Every fault that a call can meet.

    A kill after a call is a kill before the next one, so only the last call has both.
    """
    words = [f"fail {error}" for error in ONCE[call.name]]
    words += PARTS * (call.name == "write")
    words += [f"stay {ENOSPC}"] * (call.name in TAKE_ROOM) + [f"stay {EROFS}"] * (call.name in CHANGE)
    # `readdir` reads one of many names, and later calls do not depend on it.
    words += [f"stay {EIO}", "move", "remove"] * (call.name != "readdir") + ["kill"] + ["kill-after"] * is_last
    return [Fault(call.number, word) for word in words]


def is_quick(call, fault):
    """Whether a fault belongs to the selection, in which each call fails in one way, or the process is killed there."""
    return call.name != "readdir" and fault.word in (f"fail {ONCE[call.name][0]}", "cut 0", "kill", "kill-in")
