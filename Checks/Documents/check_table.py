"""Compares the table in Checks/README.md with the scripts' own headers, and with the scripts that call them."""
import os, re

from pages import ROOT, documents

README = ROOT / "Checks/README.md"
CALLERS = ("Scripts/test", ".ci/run")


def header(script):
    """A script's header: its time, what it does, and its arguments."""
    lines = script.read_text().splitlines()[:4]
    call = f"# Scripts/check {script.stem} "
    return tuple(line.removeprefix("# ") for line in lines[1:3]) + (
        lines[3].removeprefix(call) if lines[3].startswith(call) else "",)


def cells(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def rows(heading):
    """The rows of the table under a heading's first cell."""
    table = README.read_text().split(f"| {heading} |")[1].split("\n\n")[0]
    return [cells(line) for line in table.splitlines()[2:]]


def caller(name):
    """The script that calls the whole check, without arguments."""
    return next((path for path in CALLERS
                 if re.search(rf"Scripts/check {name}$", (ROOT / path).read_text(), re.M)), None)


def check_table(check):
    scripts = {script.stem: script for script in ROOT.glob("Checks/*/*.sh")}
    table = {row[0].strip("`"): row for row in rows("check")}
    check(f"Checks/README.md has each check: {sorted(scripts.keys() ^ table.keys())}", scripts.keys() == table.keys())
    check("Checks/README.md has each check once", len(table) == len(rows("check")))
    for name in scripts.keys() & table.keys():
        _, proof, time, arguments, run_by = table[name]
        said_time, does, said_arguments = header(scripts[name])
        check(f"{name} can be run", os.access(scripts[name], os.X_OK))
        check(f"{name} says how long it takes: {said_time}", re.fullmatch(r"(1 (minute|hour)|\d+ (minutes|hours))", said_time))
        check(f"{name} says what it does: {does}", re.fullmatch(r"[A-Z].{20,130}\.", does))
        check(f"Checks/README.md says what {name} proves", len(proof) > 20)
        check(f"{name} takes {said_time}, and in Checks/README.md {time}", time == said_time)
        check(f"{name} has the arguments {said_arguments}, and in Checks/README.md {arguments}",
              arguments.strip("`") == said_arguments)
        whole = caller(name)
        is_right = run_by == f"`{whole}`" if whole else run_by == "" or any(
            run_by.startswith(f"`{path}`, ") for path in CALLERS)
        check(f"{name} is run by {whole}, and in Checks/README.md by {run_by}", is_right)
    folders = {path.name for path in (ROOT / "Checks").iterdir() if path.is_dir() and any(path.rglob("*.*"))}
    named = [row[0].strip("`") for row in rows("folder")]
    check(f"Checks/README.md has each folder: {sorted(folders ^ set(named))}", sorted(folders) == sorted(named))
    check_calls(check, scripts)


def check_calls(check, scripts):
    """Checks that every check exists that a document names or a script calls; the changes of older versions may name others."""
    calls = {(path, name) for path in documents()
             for name in re.findall(r"`Scripts/check\s+([a-z]\w*)", path.read_text().split("\n## 0.")[0])}
    calls |= {(path, name) for path in (ROOT / caller for caller in CALLERS)
              for name in re.findall(r"^[^#\n]*Scripts/check ([a-z]\w*)", path.read_text(), re.M)}
    check("the documents call checks", len(calls) > 20)
    for path, name in calls:
        check(f"{path.relative_to(ROOT)}: Scripts/check {name}", name in scripts)
