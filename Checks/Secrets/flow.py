"""A command line, and what it may do with secrets."""
import dataclasses

from stage import NOW


@dataclasses.dataclass(frozen=True)
class Flow:
    """A command line of the tool in a copy of the stage."""
    line: str
    status: int = 0
    stdin: str | None = None  # a file
    makes: tuple = ()  # the files that may have secrets afterwards, beside those that had them
    shows: bool = False  # standard output has sealed texts, or a blob's key
    answers: tuple = ()  # the secrets that are typed, by name
    descriptors: tuple = ()  # files that are open for it, from 3 on
    passes: str = ""  # a pattern for files that may have secrets until its end
    calls: tuple = ()  # system calls that it needs, although the tool's other commands must not make them
    # A key in place of a message or of public data: it is never shown, but the memory for such data is not wiped.
    is_misplaced: bool = False
    program: str = "sealpush"


def flow(line, status=0, makes="", **rest):
    return Flow(line, status, makes=tuple(makes.split()), **rest)


def misplaced(line, status, **rest):
    return flow(line, status, is_misplaced=True, **rest)


AT, LATER = f"--now {NOW}", f"--now {NOW + 100 * 86_400}"
