"""A reader who copies a page's commands into a shell: once, again, and in another order.

The first time, each command must succeed. After that, a command may say that its output exists already, or, in another
order, that its input is missing. The commands must never change the shell, empty or replace a file that they have made,
or lose a private key.
"""
import json, pathlib, re, subprocess, sys, tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from pages import ROOT
from results import blocks

# Prints the state of the reader's shell, without the variables that bash itself changes.
SHELL = r"""
state() {
  pwd; umask; set +o; shopt -p; alias -p; trap -p; declare -f
  declare -p | grep -vE '^declare -[-a-zA-Z]+ (_|BASH_[A-Z]+|BASHOPTS|LINENO|S?RANDOM|SECONDS|EPOCH[A-Z]+|PIPESTATUS|FUNCNAME)(=|$)'
}
set -E -u -o pipefail
exec 9>"$3"
trap 'echo $? >&9' ERR
state >"$1"
. "$2" 9>&9
state >"$4"
"""
# Other programs' status for a failure, and the tool's own: bad data, no input, exists.
FAILED, BAD_DATA, NO_INPUT, EXISTS = 1, 65, 66, 73
# Commands that change the reader's shell.
CHANGES = re.compile(r"(?:cd|pushd|popd|set|shopt|export|declare|readonly|unset|alias|unalias|umask|trap|exec|exit|source|\.)\b"
                     r"|\w+=(?!\S*[^\S\n]+[^\s&|;#])")


class Reader:
    """Runs blocks in one folder, each in a shell of its own."""

    def __init__(self, folder, environment):
        self.folder, self.environment = pathlib.Path(folder), environment

    def run(self, block):
        """Runs a block; returns its output and errors, the statuses of failed commands, and the changes of the shell."""
        with tempfile.TemporaryDirectory() as notes:
            before, text, failed, after = (pathlib.Path(notes) / name for name in ("before", "block", "failed", "after"))
            text.write_text(block)
            done = subprocess.run(["bash", "--noprofile", "--norc", "-c", SHELL, "bash", before, text, failed, after],
                                  cwd=self.folder, env=self.environment, capture_output=True, timeout=60)
            changes = set(after.read_text().splitlines()) ^ set(before.read_text().splitlines()) if after.exists() else {
                "the shell ended"}
            return done, [int(status) for status in failed.read_text().split()], changes

    def files(self):
        return {path.relative_to(self.folder): path.read_bytes() for path in self.folder.rglob("*")
                if path.is_file() and not path.name.startswith(".sealed-push")}  # a lock


def meant_to_change(page):
    """The files that a page's commands are meant to change, and those that --force replaces."""
    commands = "\n".join(blocks(page, "sh")).replace("\\\n", " ").splitlines()
    named = {name for command in commands for name in re.findall(r"--(?:keys|registrations|store) (\S+)", command)}
    named |= {name for command in commands if "keys accept" in command for name in re.findall(r"--senders (\S+)", command)}
    forced = [command for command in commands if "--force" in command]
    named |= {name for command in forced for name in re.findall(r"--(?:out|request|headers) (\S+)", command)}
    named |= {"identity.jwks"} if any("keys enrol" in command for command in commands) else set()
    return {pathlib.Path(name) for name in named}


def private_parts(files):
    """The private keys in files of keys."""
    found = set()
    for content in files.values():
        try:
            keys = json.loads(content)["keys"]
            found |= {key[name] for key in keys for name in ("d", "k") if name in key}
        except (ValueError, KeyError, TypeError):
            continue
    return found


def losses(before, after, may_change):
    """The files that were there before and are now gone, empty or different."""
    gone = [f"{name} is gone" for name in before.keys() - after.keys()]
    empty = [f"{name} is empty" for name, content in after.items() if not content and before.get(name) != content
             and name not in may_change]
    other = [f"{name} is another" for name in before.keys() & after.keys() - may_change if before[name] != after[name]]
    keys = ["a private key is lost"] if private_parts(before) - private_parts(after) else []
    return gone + empty + other + keys


def check_again(check, pages, reader):
    """Runs the blocks of pages again in the same folder, forwards and backwards; then backwards in an empty folder."""
    every = [block for page in pages for block in blocks(page, "sh")]
    changed = set().union(*map(meant_to_change, pages))
    with tempfile.TemporaryDirectory() as folder:
        elsewhere = Reader(folder, reader.environment)
        for who, order, tolerated in (
                (reader, every, (EXISTS,)), (reader, every[::-1], (EXISTS, NO_INPUT, BAD_DATA, FAILED)),
                (elsewhere, every[::-1], (EXISTS, NO_INPUT, BAD_DATA, FAILED))):
            for block in order:
                before = who.files()
                done, failed, changes = who.run(block)
                what = f"{pages[0]}, again: {block.splitlines()[0]}"
                lost = losses(before, who.files(), changed)
                check(f"{what}: {', '.join(lost)}", not lost)
                check(f"{what}: changes the shell: {sorted(changes)}", not changes)
                check(f"{what}: {failed}: {done.stderr.decode()}", set(failed) <= set(tolerated))
