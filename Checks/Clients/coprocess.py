"""python3 coprocess.py SEALPUSH CLIENT…: the clients of Examples/coprocess seal with the tool, and fail closed.

A client is python, node, ruby or go=PROGRAM, the program that was built from sealer.go. Each reads jobs, and prints the
pushes or the refusal of each. It gets a person with two devices, an unknown person, an array with an
unknown device, and a single device; then co-processes that end, or that answer another line.
"""
import json, pathlib, subprocess, sys, tempfile


sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import ROOT, check, end

EXAMPLES = ROOT / "Examples/coprocess"
PAYLOAD = {"aps": {"alert": {"title": "Ada", "body": "Brot & Käse < 5 €?"}}, "chat": 42}
JOBS = [{"to": {"person": "ada"}, "payload": PAYLOAD}, {"to": {"person": "eve"}, "payload": PAYLOAD},
        {"to": ["02", "nobody"], "payload": PAYLOAD}, {"to": "01", "payload": PAYLOAD}]
TOPIC = ["--topic", "com.example.app"]
FAKES = {
    "ends before it answers": "read line",
    "ends within its answer": """read line; printf '{"line":1,"id":1,"pushes":[{"device"'""",
    "answers another line": """read line; echo '{"line":1,"id":99,"pushes":[{"device":"01","body":"x"}]}'; cat >/dev/null""",
}


def program(client):
    name, _, path = client.partition("=")
    return {"python": [sys.executable, EXAMPLES / "sealer.py"], "node": ["node", EXAMPLES / "sealer.mjs"],
            "ruby": ["ruby", EXAMPLES / "sealer.rb"], "go": [path]}[name]


def run(words, folder, text=""):
    return subprocess.run([str(word) for word in words], cwd=folder, input=text.encode(), capture_output=True, timeout=60)


def prepare(tool, folder):
    lines = []
    for token, device in (("01", "phone"), ("02", "pad")):
        run([tool, "keys", "new", "--role", "device", "--out", f"{device}.jwks"], folder)
        keys = json.loads(run([tool, "keys", "export", "--keys", f"{device}.jwks"], folder).stdout)
        lines.append({"v": 1, "topic": "com.example.app", "environment": "production", "token": token, "keys": keys,
                      "person": "ada"})
    (folder / "devices.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run([tool, "keys", "new", "--role", "sender", "--out", "sender.jwks"], folder)
    run([tool, "keys", "export", "--keys", "sender.jwks", "--out", "sender.pub.jwks"], folder)


def check_sealing(client, tool, folder):
    seal = [tool, "seal", "--lines", "--recipients", "devices.jsonl", "--from", "sender.jwks", *TOPIC]
    done = run([*program(client), *seal], folder, "".join(json.dumps(job) + "\n" for job in JOBS))
    check(f"{client} ends well: {done.stderr.decode()}", done.returncode == 0)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    devices = [answer.get("device") for answer in answers]
    check(f"{client} gets every answer, in order", devices == ["01", "02", None, "02", "nobody", "01"])
    refused = [answer.get("refused", answer.get("error", "")).split(":")[0] for answer in answers]
    check(f"{client} gets what is refused", refused == ["", "", "unknown-recipient", "", "unknown-recipient", ""])
    ids = {answer["headers"]["apns-id"] for answer in answers if "headers" in answer}
    check(f"{client} gets an id for each push", len(ids) == 4)
    for answer in answers:
        if "body" not in answer:
            continue
        keys = "phone.jwks" if answer["device_token"] == "01" else "pad.jwks"
        opened = run([tool, "open", "--keys", keys, "--senders", "sender.pub.jwks", *TOPIC], folder, answer["body"])
        check(f"{client}: {keys} opens its push", opened.returncode == 0 and json.loads(opened.stdout) == PAYLOAD)


def check_failing(client, folder):
    for what, script in FAKES.items():
        done = run([*program(client), "sh", "-c", script, "sh"], folder, json.dumps(JOBS[0]) + "\n")
        check(f"{client}, if the co-process {what}, fails", done.returncode != 0)
        check(f"{client}, if the co-process {what}, has nothing to send", done.stdout == b"")
    done = run([*program(client), "./nowhere"], folder, json.dumps(JOBS[0]) + "\n")
    check(f"{client} fails without a tool", done.returncode != 0 and done.stdout == b"")
    said = done.stderr.lower()
    check(f"{client} says that there is no tool", b"enoent" in said or b"no such file" in said)


with tempfile.TemporaryDirectory() as name:
    tool, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(name)
    prepare(tool, folder)
    for client in sys.argv[2:]:
        check_sealing(client, tool, folder)
        check_failing(client, folder)
end(least=10)
