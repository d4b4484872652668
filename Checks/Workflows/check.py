"""Checks the workflows: against GitHub's schema, with zizmor, and by this project's rules.

It proves itself first: planted faults must be found.
"""

import json
import pathlib
import re
import subprocess
import sys

from ruamel.yaml import YAML

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAULTS = pathlib.Path(__file__).resolve().parent / "Faults"

# The oracles: the one is a module of Python, the other a program beside it.
CHECK_JSONSCHEMA = [sys.executable, "-m", "check_jsonschema"]
ZIZMOR = [pathlib.Path(sys.executable).with_name("zizmor")]

# Each of these must be found: a file of Faults, and what tells of it.
PLANTED = {
    "misspelled": "schema: $.jobs.test",
    "step-without-work": "schema: $.jobs.test",
    "unpinned": "zizmor: unpinned-uses",
    "permissions": "zizmor: excessive-permissions",
    "credentials": "zizmor: artipacked",
    "injection": "zizmor: template-injection",
    "trigger": "zizmor: dangerous-triggers",
    "writes": "the job 'test' may do more than read the repository",
    "no-limit": "the job 'test' has no timeout-minutes",
    "shell": "the job 'test': bash: ",
}


def run(oracle, *arguments):
    """Runs an oracle, and returns what it says as JSON."""
    done = subprocess.run([*oracle, *arguments], capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(f"{oracle[-1]} says nothing\n{done.stderr}")
    return json.loads(done.stdout)


def findings(path):
    """What is wrong with a workflow."""
    schema = run(
        CHECK_JSONSCHEMA, "--builtin-schema", "vendor.github-workflows", "--output-format", "json", path
    )
    wrong = [f"schema: {error.get('path')}: {error.get('message')}" for error in schema["errors"]]
    wrong += [f"schema: {error}" for error in schema.get("parse_errors", [])]
    # What is not a workflow is nothing that the others read.
    return wrong or audits(path) + rules(YAML(typ="safe").load(path))


def audits(path):
    found = run(ZIZMOR, "--offline", "--no-progress", "--persona", "pedantic", "--format", "json", path)
    return [f"zizmor: {finding['ident']}: {finding['desc']}" for finding in found if not finding["ignored"]]


def rules(workflow):
    """This project's rules: a workflow may read the repository and nothing else, and ends; its scripts are bash."""
    wrong = [] if workflow.get("permissions") == {} else ["the workflow has permissions of its own"]
    for name, job in workflow["jobs"].items():
        if job.get("permissions") != {"contents": "read"}:
            wrong.append(f"the job '{name}' may do more than read the repository")
        if "timeout-minutes" not in job:
            wrong.append(f"the job '{name}' has no timeout-minutes")
        for step in job["steps"]:
            # GitHub fills these in before bash reads the script.
            script = re.sub(r"\$\{\{.*?\}\}", "value", step.get("run", ""))
            done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
            if done.returncode != 0:
                wrong.append(f"the job '{name}': {done.stderr.splitlines()[0]}")
    return wrong


def prove():
    """Stops unless each planted fault is found, and a file without a fault passes."""
    files = {path.stem for path in FAULTS.glob("*.yml")}
    if files != {*PLANTED, "none"}:
        raise SystemExit(f"Faults and the list of faults differ: {sorted(files ^ {*PLANTED, 'none'})}")
    for name, text in {**PLANTED, "none": None}.items():
        found = findings(FAULTS / f"{name}.yml")
        if text is None and found or text and not any(text in line for line in found):
            raise SystemExit(f"the planted fault '{name}' gives:\n" + "\n".join(found))
        print(f"found: {text}" if text else "a file without a fault passes")


def main():
    prove()
    workflows = sorted((ROOT / ".github/workflows").glob("*.y*ml"))
    failures = 0
    for path in workflows:
        wrong = findings(path)
        failures += bool(wrong)
        print(f"{path.relative_to(ROOT)}: {f'{len(wrong)} findings' if wrong else 'passes'}")
        for line in wrong:
            print(f"  {line[:300]}")
    print(f"{len(workflows) - failures} passed, {failures} failed")
    sys.exit(failures > 0 or not workflows)


if __name__ == "__main__":
    main()
