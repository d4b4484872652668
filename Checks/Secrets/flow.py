"""A command line, and what it may do with secrets."""
import dataclasses

from stage import NOW


@dataclasses.dataclass(frozen=True)
class Flow:
    """A command line of the tool in a copy of the stage."""
    line: str
    status: int = 0
    stdin: str | None = None  # a file
    makes: tuple = ()  # the files that may have secrets after it, beside those that had them
    shows: bool = False  # standard output has what was sealed, or a blob's key
    answers: tuple = ()  # what is typed, each a secret's name
    descriptors: tuple = ()  # files that it has open, from 3 on
    passes: str = ""  # the pattern of files that may have secrets until its end
    calls: tuple = ()  # the calls that it has a use for, of those that none of the tool's commands has
    # A key in the place of a message or of something public: it is never shown, but memory for that is not wiped.
    is_misplaced: bool = False
    program: str = "sealpush"


def flow(line, status=0, makes="", **rest):
    return Flow(line, status, makes=tuple(makes.split()), **rest)


def misplaced(line, status, **rest):
    return flow(line, status, is_misplaced=True, **rest)


AT, LATER = f"--now {NOW}", f"--now {NOW + 100 * 86_400}"
