"""python3 packages.py SEALPUSH: the packages of Examples can be installed, and fail closed.

It installs each package as a user would, in a folder of its own, the one in Python with the oldest `cryptography` that the
package accepts. Both answer the same questions, and the tool opens what they seal. It also runs the code of
Examples/README.md.
"""
import json, os, pathlib, re, shutil, subprocess, sys, tempfile, time

import signed_sets as ss
from sealedpush import account_tag

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import ROOT, check, end

HERE, EXAMPLES = ROOT / "Checks/Independent/packages", ROOT / "Examples"
TOOL = pathlib.Path(sys.argv[1]).resolve()
TOPIC, TOKEN, BACKEND = "com.example.app", "00ff" * 16, "https://push.example.com"
PAYLOAD = {"aps": {"alert": "Lunch at noon?"}}
OLDEST = re.search(r"cryptography>=(\d+)", (EXAMPLES / "python/pyproject.toml").read_text())[1]


def run(*command, cwd, given=b"", status=0, **environment):
    done = subprocess.run(list(map(str, command)), cwd=cwd, input=given, capture_output=True, timeout=300,
                          env={**os.environ, **environment})
    check(f"{pathlib.Path(str(command[0])).name} {command[1]} ends with {status}", done.returncode == status,
          f"{done.returncode}: {(done.stderr or done.stdout).decode()}")
    return done


class Stage:
    """A sender, and a phone that has enrolled with the backend, as the tool makes them."""

    def __init__(self, folder):
        self.folder = folder
        for role in ("device", "sender", "root"):
            self.tool(f"keys new --role {role} --out {role}.jwks")
            self.tool(f"keys export --keys {role}.jwks --out {role}.pub.jwks")
        enrol = f"keys enrol --keys device.jwks --topic {TOPIC} --token {TOKEN} --audience {BACKEND}"
        accept = f"keys accept --registrations registrations --registration ada-1 --audience {BACKEND} --from sender.jwks"
        self.tool(f"{accept} --new --request request.json", given=self.tool(enrol), status=75)
        self.pending = self.read("registrations")
        self.enrolment = json.loads(self.tool(f"{enrol} --answer request.json --senders sender.pub.jwks"))
        self.tool(accept, given=json.dumps(self.enrolment).encode())
        self.proven = self.read("registrations")
        self.tool(f"{accept} --request again.json", given=self.tool(enrol.replace(TOKEN, "0a")), status=75)
        self.new_token = self.read("registrations")
        (folder / "registrations").write_text(self.proven)
        self.identity = json.loads(self.read("identity.jwks"))["keys"][0]["kid"]

    def tool(self, line, given=b"", status=0):
        return run(TOOL, *line.split(), cwd=self.folder, given=given, status=status).stdout

    def read(self, name):
        return (self.folder / name).read_text()

    def published(self, ends_at, senders="sender.jwks"):
        root = json.loads(self.read("root.jwks"))["keys"][0]
        return ss.sign_senders(root, TOPIC, 1, 1, ends_at, ss.public_half(json.loads(self.read(senders))))

    def opens(self, what, payload, *trust, account=None, said=None):
        """The tool opens it, and the content has what the caller has said, and the account; or neither."""
        trust = trust or ("--senders", "sender.pub.jwks")
        done = run(TOOL, "open", "--keys", "device.jwks", *trust, "--topic", TOPIC, "--account", account or "A" * 22,
                   cwd=self.folder, given=payload)
        check(f"{what}: the tool opens it", b"Lunch at noon?" in done.stdout, done.stderr.decode())
        named = json.loads(done.stdout).get("sealed-push")
        wanted = {**(said or {"v": 1}), "account": account} if account else said
        check(f"{what}: the account", json.dumps(named) == json.dumps(wanted), named)


def python_package(folder):
    """The python of a venv with the package and the oldest `cryptography`."""
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv/bin/python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", EXAMPLES / "python",
        f"cryptography=={OLDEST}.*", cwd=folder)
    run(sys.executable, "-m", "mypy", "--cache-dir", folder / "mypy", "--config-file",
        EXAMPLES / "python/pyproject.toml", cwd=EXAMPLES / "python")
    return python


def node_package(folder):
    """A folder with the package in node_modules: installed by npm, or copied, because Debian's node comes without npm."""
    (folder / "package.json").write_text('{"private":true}')
    if shutil.which("npm"):
        run("npm", "install", "--offline", "--no-audit", "--no-fund", "--install-links", EXAMPLES / "node", cwd=folder)
    else:
        print("there is no npm: the package for Node is copied")
        shutil.copytree(EXAMPLES / "node", folder / "node_modules/sealedpush")
    for file in ("seal_lines.mjs", "types.mts"):
        shutil.copy(HERE / file, folder)
    run("tsc", "--noEmit", "--strict", "--target", "es2022", "--module", "node16", "types.mts", cwd=folder)
    declared = set(re.findall(r"^export (?:class|function) (\w+)", (EXAMPLES / "node/index.d.ts").read_text(), re.M))
    exported = run("node", "--input-type=module", "-e",
                   'console.log(Object.keys(await import("sealedpush")).join(" "))', cwd=folder).stdout.decode().split()
    check("the declared types are those of the module", declared == set(exported), declared ^ set(exported))


def vector(identity):
    lists = json.loads((ROOT / "Vectors/signed.json").read_text())
    return next(each for each in lists["registrations"] if each["id"] == identity)


def questions(stage):
    """A name, a question, and the beginning of the error that both must give, or None if they must seal."""
    read, now = stage.read, int(time.time())
    signer, registrations = read("sender.jwks"), stage.proven
    good = {"signer": signer, "topic": TOPIC, "set": read("device.pub.jwks")}
    registered = {"signer": signer, "topic": TOPIC, "registrations": registrations, "registration": "ada-1"}
    signed = {"signer": signer, "topic": TOPIC, "signed": stage.enrolment["keys"], "identity": stage.identity}
    trusted = {**good, "roots": read("root.pub.jwks")}
    line = json.loads(registrations)
    forged = json.dumps({**line, "keys": line["keys"][:-6] + ("A" if line["keys"][-6] != "A" else "B") + line["keys"][-5:]})
    twice = read("device.pub.jwks").replace('"keys"', '"keys":[],"keys"', 1)
    sealer = {"signer": None, "topic": TOPIC}
    keys = json.loads((ROOT / "Vectors/xwing.json").read_text())["keys"]["keys"]
    xwing = {name: value for name, value in keys[0].items() if name != "priv"}
    both = json.loads(good["set"])
    both["keys"].append(xwing)
    yield "to a set", good, None
    yield "to a device that also has a key for which ML-KEM is missing", {**good, "set": json.dumps(both)}, None
    yield "a device that has no other key", {**good, "set": json.dumps({"keys": [xwing]})}, \
        ("SealError: the device's keys are for suites that this cryptography", "KeyFileError: the device's keys are for xwing")
    yield "such a key by its name", {**good, "set": json.dumps(both), "options": {"suite": "xwing-aesgcm"}}, \
        ("SealError: the suite xwing-aesgcm needs cryptography 48", "KeyFileError: nothing can be sealed with xwing-aesgcm")
    yield "to a registration", registered, None
    yield "to a registration with a new token, which is pending", {**registered, "registrations": stage.new_token}, None
    yield "to a signed set", signed, None
    yield "anonymously", {**good, "signer": None}, None
    yield "by a published set", {**trusted, "published": stage.published(now + 60)}, None
    one, several = ({**line, "person": "ada"}, {**line, "persons": ["ada", "bob"]})
    ada, bob = (account_tag(name, stage.identity) for name in ("ada", "bob"))
    written = lambda registration: {**registered, "registrations": f"{json.dumps(registration)}\n"}
    yield "to a registration with a person", {**written(one), "tag": ada}, None
    yield "to a registration with several persons", written(several), None
    yield "to one of several persons", {**written(several), "person": "bob", "tag": bob}, None
    yield "for an account that is named", {**good, "options": {"account": bob}, "tag": bob}, None
    yield "for another account than the person's", {**written(one), "options": {"account": bob}, "tag": bob}, None
    yield "an account that is no tag", {**good, "options": {"account": bob[:-1]}}, "SealError: account is a tag"
    yield "a person who has not the device", {**written(several), "of": "eve"}, "KeyFileError: the device is not this person's"
    yield "a person beside several", written({**several, "person": "ada"}), "Refused: malformed-enrolment"
    message = "2c75dea1-70b5-4c96-b740-1f3362cce2e9"
    says = lambda said: {"said": said, "payload": json.dumps({"sealed-push": said, **PAYLOAD, "chat": 7})}
    edit = {"bytes": "AA", "v": 1, "removes": [message], "replaces": message}
    yield "what a caller says", {**good, **says(edit)}, None
    yield "what a caller says, to a person", {**written(one), **says(edit), "tag": ada}, None
    yield "what a caller says, to one of several persons", {
        **written(several), **says({"v": 1, "removes": [message]}), "person": "bob", "tag": bob}, None
    yield "an account that a caller says", {**good, **says({**edit, "account": bob})}, \
        "SealError: a member of the payload is reserved"
    yield "with a placeholder of its own", {**good, "options": {"title": "Post", "body": "Nachricht"}}, None
    yield "a body that is no text", {**good, "options": {"body": 1}}, "SealError: title and body are texts"
    yield "an unknown option", {**good, "options": {"titel": "T"}}, ("TypeError", "SealError: there is no option titel")
    yield "a registration that there is not", {**registered, "registration": "ada"}, \
        "SealError: there is no such registration"
    yield "a name as the device", {**registered, "to": "ada-1"}, "SealError: a message goes to a PublicKeySet"
    yield "a device that has proven nothing", {**registered, "registrations": stage.pending}, "KeyFileError"
    half = vector("registration-answered-second-suite")["lines"]
    yield "a key that is not proven, beside one that is", {
        **registered, "registrations": "".join(f"{each}\n" for each in half),
        "registration": json.loads(half[0])["registration"], "options": {"suite": "p256-aesgcm"}}, "KeyFileError"
    yield "a forged registration", {**registered, "registrations": f"{forged}\n"}, "Refused: bad-signature"
    yield "an altered address", {**registered, "registrations": registrations.replace(TOKEN, "0a", 1)}, "Refused: mismatch"
    yield "a line without its end", {**registered, "registrations": registrations[:-1]}, "Refused: malformed-enrolment"
    yield "a registration twice", {**registered, "registrations": registrations * 2}, "Refused: malformed-enrolment"
    yield "a name that is no text", {**registered, "registrations": registrations.replace('"ada-1"', '"a\ud800"')}, \
        ("Refused: malformed-enrolment", "KeyFileError: a surrogate has no pair")
    yield "a registration for another app", {**registered, "topic": "com.example.other"}, "SealError"
    yield "another identity", {**signed, "identity": json.loads(read("root.jwks"))["keys"][0]["kid"]}, "Refused: other-identity"
    yield "a signed set for another app", {**signed, "app": "com.example.other"}, "Refused: other-topic"
    yield "a published set that has ended", {**trusted, "published": stage.published(now - 60)}, "SealError"
    yield "a root that is not pinned", {**trusted, "published": stage.published(now + 60), "roots": read("other.pub.jwks")}, \
        "Refused: unknown-signer"
    yield "a published set without the sender", {**trusted, "published": stage.published(now + 60, "stranger.jwks")}, "SealError"
    yield "a member twice", {**good, "set": twice}, "KeyFileError"
    yield "a set that is signed, unverified", {**good, "set": stage.enrolment["keys"]}, "KeyFileError"
    yield "a private set", {**good, "set": read("device.jwks")}, "KeyFileError"
    yield "the root as a sender", {**good, "signer": read("root.jwks")}, "KeyFileError"
    yield "no key at all", {**good, "signer": "{}"}, "KeyFileError"
    yield "another suite", {**sealer, "set": read("device.pub.jwks"), "options": {"suite": "p256-aesgcm"}}, "KeyFileError"


def check_questions(name, command, folder, stage):
    program = subprocess.Popen(list(map(str, command)), cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    ids = set()
    for what, question, error in questions(stage):
        program.stdin.write(json.dumps({"payload": json.dumps(PAYLOAD), **question}) + "\n")
        program.stdin.flush()
        answer = json.loads(program.stdout.readline())
        if error is not None:
            check(f"{name} refuses {what}", answer.get("error", "").startswith(error), answer)
            continue
        check(f"{name} seals {what}", "payload" in answer, answer)
        stage.opens(f"{name}, {what}", answer["payload"].encode(), *(() if question["signer"] else ("--anonymous",)),
                    account=question.get("tag"), said=question.get("said"))
        options = question.get("options", {})
        alert = {"title": options.get("title", "New notification"), "body": options.get("body", "(Encrypted)")}
        check(f"{name}, {what}: the placeholder", json.loads(answer["payload"])["aps"]["alert"] == alert, answer["payload"])
        headers = answer["headers"]
        ids.add(headers["apns-id"])
        collapse_id = question.get("said", {}).get("replaces", headers["apns-id"])
        check(f"{name}, {what}: the collapse ID", headers["apns-collapse-id"] == collapse_id, headers)
        check(f"{name}, {what}: the token", answer.get("token") == (None if "set" in question else TOKEN), answer)
    check(f"{name}: each message has its own ID", len(ids) == 16, ids)
    program.stdin.close()
    program.wait(timeout=30)


def check_files(python, stage):
    """Files that are read as a text, as a file and by two processes, with more lines than a process gets at once."""
    line = json.loads(stage.pending)  # which has proven nothing, so that others may have the same
    names = [f"phone {number}" for number in range(1001)]
    lines = [json.dumps({**line, "registration": name}) + "\n" for name in names]
    forged = json.dumps({**line, "keys": f'{line["keys"].rpartition(".")[0]}.{"A" * 86}'}) + "\n"
    refused = lambda reason, inner=None: {"reason": reason, "rule": "11.17", "inner": inner}
    files = {"whole": ("".join(lines), names), "empty": ("", []),
             "forged": ("".join([*lines, forged]), refused("bad-signature", "11.11")),
             "twice": ("".join([*lines, lines[0]]), refused("malformed-enrolment")),
             "cut": ("".join(lines)[:-1], refused("malformed-enrolment"))}
    for name, (text, _) in files.items():
        (stage.folder / name).write_text(text)
    said = run(python, HERE / "read_file.py", *files, cwd=stage.folder).stdout.decode().splitlines()
    for (name, (_, expected)), answers in zip(files.items(), said, strict=True):
        for way, answer in zip(("a text", "a file", "two processes"), json.loads(answers), strict=True):
            check(f"{way}: the file that is {name}", answer == expected, str(answer)[:200])


def check_command(python, stage):
    """`python -m sealedpush`, and its errors for an old and a missing `cryptography`."""
    payload, there = b'{"aps":{"alert":"Lunch at noon?"}}', stage.folder

    def seal(*arguments, status=0):
        return run(python, "-m", "sealedpush", "--topic", TOPIC, *arguments, cwd=there, given=payload, status=status)
    to, sender = ("--to", "device.pub.jwks"), ("--from", "sender.jwks")
    stage.opens("python -m sealedpush", seal(*to, *sender, "--headers", "python.headers").stdout)
    check("it writes headers as the tool does", all(
        re.fullmatch(r"apns-[a-z-]+: \S+", line) for line in stage.read("python.headers").splitlines()))
    named = ("--registrations", "registrations", "--registration", "ada-1")
    stage.opens("python -m sealedpush to a registration", seal(*named, *sender).stdout)
    several = {**json.loads(stage.proven), "persons": ["ada", "bob"]}
    (there / "several").write_text(f"{json.dumps(several)}\n")
    bob = account_tag("bob", stage.identity)
    those = ("--registrations", "several", "--registration", "ada-1")
    stage.opens("python -m sealedpush to one of several persons", seal(*those, "--person", "bob", *sender).stdout, account=bob)
    stage.opens("python -m sealedpush for an account", seal(*to, "--account", bob, *sender).stdout, account=bob)
    stage.opens("anonymous, when said", seal(*to, "--anonymous").stdout, "--anonymous")
    for status, what in ((64, to), (64, (*to, *sender, "--anonymous")), (64, sender), (64, (*to, *sender, "--loud")),
                         (64, (*to, *sender, "--anon")), (64, (*to, *sender, "--registration", "ada-1")),
                         (64, (*to, *sender, "extra")), (66, ("--to", "none", *sender)), (65, ("--to", "sender.jwks", *sender)),
                         (65, (*named[:-1], "bob", *sender)), (64, (*to, "--person", "bob", *sender)),
                         (65, (*those, "--person", "eve", *sender)), (65, (*to, "--account", "bob", *sender)), (73, (*to, *sender, "--out", "sealed", "--headers", "python.headers"))):
        check(f"{what}: nothing is written", seal(*what, status=status).stdout == b"")
    said = seal(*to, "--form", "sender.jwks", status=64).stderr
    check("a misspelt option is named", b"unrecognized arguments: --form" in said, said)
    stage.opens("a lifetime in days", seal(*to, *sender, "--lifetime", "30d").stdout)
    said = seal(*to, *sender, "--lifetime", "4w", status=64).stderr
    check("a lifetime in weeks is refused", b"'4w' is no time" in said, said)
    for mode in (0o644, 0o640, 0o604, 0o620):
        shutil.copy(there / "sender.jwks", there / "open.jwks")
        (there / "open.jwks").chmod(mode)
        done = seal(*to, "--from", "open.jwks", status=77)
        is_right = done.stdout == b"" and b"chmod 600 open.jwks" in done.stderr
        check(f"a key file of mode {mode:o} is refused", is_right, done.stderr)
    (there / "open.jwks").chmod(0o440)
    stage.opens("a mounted key file", seal(*to, "--from", "open.jwks").stdout)
    check("no output is left beside one that exists", not (there / "sealed").exists())
    old = there / "old/cryptography"
    old.mkdir(parents=True)
    (old / "__init__.py").write_text('__version__ = "3.4.8"\n')
    said = run(python, "-c", "import sealedpush", cwd=there, status=1, PYTHONPATH=str(old.parent)).stderr.decode()
    check("an old cryptography is named", f"needs cryptography {OLDEST} or later, and this is 3.4.8" in said, said)
    bare = run("/usr/bin/env", "python3", "-S", "-c", "import sealedpush", cwd=there, status=1,
               PYTHONPATH=str(EXAMPLES / "python"), PYTHONDONTWRITEBYTECODE="1").stderr.decode()
    check("a missing cryptography is named", "sealedpush needs the package cryptography" in bare, bare)


def check_page(python, node_folder, stage):
    """Runs the code of Examples/README.md unchanged, in a folder with its files."""
    blocks = dict(re.findall(r"^```(python|js)\n(.*?)^```", (EXAMPLES / "README.md").read_text(), re.M | re.S))
    check("the page has code", blocks.keys() == {"python", "js"})
    for name in ("registrations", "sender.jwks"):
        shutil.copy(stage.folder / name, node_folder)
    (node_folder / "page.mjs").write_text(blocks["js"] + "process.stdout.write(push.payload);")
    stage.opens("the page's Node", run("node", "page.mjs", cwd=node_folder).stdout)
    written = stage.folder / "page.py"
    written.write_text(blocks["python"] + "import sys; sys.stdout.buffer.write(push.payload)\n")
    stage.opens("the page's Python", run(python, written, cwd=stage.folder).stdout)
    run(sys.executable, "-m", "mypy", "--strict", "--python-executable", python, "--cache-dir", stage.folder / "mypy",
        written, cwd=stage.folder)


with tempfile.TemporaryDirectory() as folder:
    folders = [pathlib.Path(folder) / name for name in ("stage", "python", "node")]
    for each in folders:
        each.mkdir()
    stage = Stage(folders[0])
    for role, name in (("root", "other"), ("sender", "stranger")):
        stage.tool(f"keys new --role {role} --out {name}.jwks")
        stage.tool(f"keys export --keys {name}.jwks --out {name}.pub.jwks")
    python = python_package(folders[1])
    node_package(folders[2])
    check_questions("Python", (python, HERE / "seal_lines.py"), folders[1], stage)
    check_questions("Node", ("node", "seal_lines.mjs"), folders[2], stage)
    check_files(python, stage)
    check_command(python, stage)
    check_page(python, folders[2], stage)
end(least=100)
