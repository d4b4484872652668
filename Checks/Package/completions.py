"""Asks bash, zsh and fish for completions of a tool, with the scripts of an unpacked package.

Usage: completions.py FOLDER [sealpush|sealpushd], the package's usr
"""
import os, pathlib, pty, re, select, subprocess, sys, tempfile

# The typed text, the words that must be offered, and a word that must not be. A shell may insert a single word without
# listing it, so there is always more than one.
QUESTIONS = {"sealpush": [
    ("sealpush l", {"lint", "log"}, "seal"),
    ("sealpush keys r", {"rotate", "revoke"}, "new"),
    ("sealpush keys new --role ", {"device", "sender", "root"}, "device.json"),
    ("sealpush keys new --pass", {"--passphrase", "--passphrase-file", "--passphrase-fd"}, "--role"),
    ("sealpush open --keys dev", {"device.json", "device.jwks"}, "other.json"),
    ("sealpush attach open dev", {"device.json", "device.jwks"}, "other.json"),
    ("sealpush completions ", {"bash", "zsh", "fish"}, "device.json"),
], "sealpushd": [
    ("sealpushd s", {"send", "store"}, "work"),
    ("sealpushd queue de", {"dead", "delete"}, "resend"),
    ("sealpushd queue --", {"--store", "--json"}, "--payload"),
    ("sealpushd queue dead --", {"--store", "--json", "--payload"}, "--all"),
    ("sealpushd devices --state p", {"proven", "pending"}, "quarantined"),
    ("sealpushd work --store dev", {"device.json", "device.jwks"}, "other.json"),
]}


def program(typed):
    return typed.split(" ")[0]


def bash(usr, typed, folder):
    script = f"""source {usr}/share/bash-completion/completions/{program(typed)}
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _{program(typed)}; printf '%s\\n' "${{COMPREPLY[@]}}" """
    words = typed.split(" ")
    return subprocess.check_output(["bash", "-c", script, "bash", *words], text=True, cwd=folder).split()


def fish(usr, typed, folder):
    script = f"source {usr}/share/fish/vendor_completions.d/{program(typed)}.fish; complete -C '{typed}'"
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config")}
    lines = subprocess.check_output(["fish", "-c", script], text=True, cwd=folder, env=environment)
    return [line.split("\t")[0] for line in lines.splitlines()]


def zsh(usr, typed, folder):
    """The terminal's output after a tab: zsh completes only in a terminal."""
    setup = (
        f"fpath=({usr}/share/zsh/vendor-completions $fpath); autoload -U compinit; compinit -u -D; bindkey -e\n"
        "zstyle ':completion:*' verbose no; zstyle ':completion:*' insert-tab no\n"
        "setopt no_list_ambiguous no_auto_menu no_always_last_prompt no_beep\n"
    )
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "HOME": str(folder), "COLUMNS": "200"})
    # The quotes keep the echo of a line from being taken for its output. Once the prompt is there, zsh reads the keys,
    # and no longer the terminal.
    os.write(terminal, (setup + "PS1='re''ady> '\n").encode())
    read(terminal, "ready> ")
    # Keys are handled in turn, so the text that is printed after the tabs comes after their output. Control-U empties
    # the line.
    os.write(terminal, typed.encode() + b"\t\t\x15print en''d\n")
    shown = read(terminal, "end\r\n")
    os.close(terminal)
    os.waitpid(child, 0)
    return re.findall(r"[^\s=]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown))


def read(terminal, end):
    """The terminal's output until it contains `end`."""
    shown = ""
    while end not in shown:
        if not select.select([terminal], [], [], 60)[0]:
            sys.exit(f"zsh hangs, and shows: {shown!r}")
        shown += os.read(terminal, 4096).decode(errors="replace")
    return shown


def main():
    usr = pathlib.Path(sys.argv[1]).resolve()
    questions = QUESTIONS[sys.argv[2] if len(sys.argv) > 2 else "sealpush"]
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in ["device.json", "device.jwks", "other.json"]:
            (folder / file).write_text("{}")
        for shell in [bash, zsh, fish]:
            for typed, wanted, unwanted in questions:
                offered = shell(usr, typed, folder)
                if not wanted <= set(offered) or unwanted in offered:
                    faults.append(f"{shell.__name__} offers for '{typed}': {' '.join(offered)}")
    if faults:
        sys.exit("\n".join(faults))
    print(f"bash, zsh and fish answer {len(questions)} questions each")


if __name__ == "__main__":
    main()
