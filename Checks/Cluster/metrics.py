"""metrics.py BIN: the alerts, the dashboard and the documents name metrics and labels that a worker serves, and no others.

A worker with --store, --audience and --senders has a phone that reports what it could not open, delivers, and is refused by
the stand-in for APNs. What it then serves is what there is. Every alert's runbook is a heading of Monitoring.md. First it is
tried whether a name that there is not is noticed.
"""
import json, pathlib, re, subprocess, sys, tempfile, time, urllib.error, urllib.request

from ruamel.yaml import YAML

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / "Clients"), str(HERE.parent / "Documents")]
from pages import anchors, prose
from results import ROOT, check, end
from stand_in import StandIn

RULES, DASHBOARD = ROOT / "deploy/prometheus/rules.yaml", ROOT / "deploy/grafana/dashboard.json"
MONITORING = ROOT / "Documentation/Operating/Monitoring.md"
TOPIC, AUDIENCE = "com.example.app", "https://push.example.com"
SCRAPE_LABELS = {"job", "instance"}
# What Prometheus itself makes of each scrape.
SCRAPE_METRICS = {"up": SCRAPE_LABELS}
# Words that APNs, or a phone, may say; all others are seen in what is served.
FREE_WORDS = {
    "sealpush_apns_refused_total": "Sources/Backend/PushDelivery/APNsReason.swift",
    "sealpush_fleet_degraded_devices": "Sources/Message/PushReceiver/Opening/DegradeReason.swift",
}


class Scene:
    """A folder with keys, a store and a worker."""

    def __init__(self, bin, folder):
        self.bin, self.folder = pathlib.Path(bin).resolve(), folder

    def tool(self, program, line, status=0, **options):
        done = subprocess.run([self.bin / program, *line.split()], cwd=self.folder, capture_output=True, text=True,
                              timeout=60, **options)
        if done.returncode != status:
            raise RuntimeError(f"{program} {line}: {done.returncode}: {done.stderr}")
        return done.stdout

    def make_keys(self):
        for role in ("device", "sender", "root"):
            self.tool("sealpush", f"keys new --role {role} --out {role}.jwks")
            self.tool("sealpush", f"keys export --keys {role}.jwks --out {role}.pub.jwks")
        self.tool("sealpush", f"keys sign-senders --keys root.jwks --senders sender.pub.jwks --topic {TOPIC} --out senders.jws")
        self.tool("sealpush", "keys export --keys sender.jwks --out known.jwks")
        subprocess.run("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey_ABCDE12345.p8 && "
                       "chmod 600 AuthKey_ABCDE12345.p8", shell=True, cwd=self.folder, check=True, capture_output=True)
        day = int(time.time()) // 86_400
        (self.folder / "counts.json").write_text(json.dumps({"since": day, "opened": 1, "degraded": {"unknown-key": 2}}))

    def enrol(self, token):
        """A production phone, which reports, enrols in the store and proves its key."""
        enrol = (f"keys enrol --keys device.jwks --topic {TOPIC} --token {token} --environment production --audience {AUDIENCE}"
                 " --senders senders.jws --root root.pub.jwks --counts counts.json")
        accept = f"devices accept --store push.sqlite --audience {AUDIENCE} --from sender.jwks --registration ada-1"
        asked = self.tool("sealpushd", f"{accept} --person ada --new", 75, input=self.tool("sealpush", enrol))
        (self.folder / "request").write_text(asked.split('"payload":')[-1].removesuffix("}}\n"))
        self.tool("sealpushd", accept, input=self.tool("sealpush", f"{enrol} --answer request"))

    def work(self, port):
        line = (f"work --store push.sqlite --from sender.jwks --key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 --team-id "
                f"FGHIJ67890 --endpoint 127.0.0.1:{port} --trust apns-root.pem --audience {AUDIENCE} --topic {TOPIC} "
                "--senders senders.jws --listen 0")
        return subprocess.Popen([self.bin / "sealpushd", *line.split()], cwd=self.folder, stderr=subprocess.PIPE, text=True)


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def served(text):
    """The metrics in Prometheus' text: the labels of each, and the values of each label."""
    metrics = {}
    for name, kind in re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M):
        for ending in {"summary": ("", "_sum", "_count"), "histogram": ("_bucket", "_sum", "_count")}.get(kind, ("",)):
            metrics[name + ending] = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? \S+$", text, re.M):
        for label, value in re.findall(r'(\w+)="([^"]*)"', labels):
            metrics[name].setdefault(label, set()).add(value)
    return metrics


def scrape(bin):
    """What a worker serves that has done everything once, and what its probes say."""
    with tempfile.TemporaryDirectory() as name:
        scene = Scene(bin, pathlib.Path(name))
        scene.make_keys()
        with StandIn(str(scene.bin / "sealpushd"), scene.folder, "--production") as stand_in:
            scene.enrol(stand_in.phone["token"])
            fault = {"do": "fault", "kind": "refusal", "status": 400, "reason": "BadPriority", "occasion": "next", "count": 1}
            stand_in.do(**fault)
            for _ in range(2):
                scene.tool("sealpushd", "enqueue --store push.sqlite --person ada", input='{"aps":{"alert":"Lunch?"}}')
            worker = scene.work(stand_in.port)
            try:
                address = next(event["address"] for event in map(json.loads, worker.stderr) if event["event"] == "listening")
                deadline, text = time.monotonic() + 60, ""
                while not all(word in text for word in ("\nsealpush_apns_refused_total{", "\nsealpush_devices{",
                                                        "\nsealpush_fleet_degraded_devices{", "\nsealpush_queue_jobs{")):
                    if time.monotonic() > deadline:
                        raise TimeoutError(f"the worker serves no more than this:\n{text}")
                    text = get(f"http://{address}/metrics")[1]
                    time.sleep(0.1)
                for probe in ("healthz", "readyz"):
                    check(f"/{probe} is ok", get(f"http://{address}/{probe}") == (200, "ok\n"))
            finally:
                worker.terminate()
                worker.communicate(timeout=60)
            return served(text)


def faults(expression, metrics):
    """What an expression names that there is not."""
    known = {**metrics, **{name: {label: set() for label in labels} for name, labels in SCRAPE_METRICS.items()}}
    bare = re.sub(r'"[^"]*"', '""', expression)
    names = set(re.findall(r"\b(sealpush_\w+|up)\b", bare))
    found = [f"no metric {name}" for name in names - known.keys()]
    if not names:
        found.append("no metric at all")
    labels = SCRAPE_LABELS.union(*(known.get(name, {}) for name in names))
    for name, matchers in re.findall(r"\b(sealpush_\w+|up)\{([^}]*)\}", expression):
        for label, operator, value in re.findall(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"', matchers):
            if label not in SCRAPE_LABELS | known.get(name, {}).keys():
                found.append(f"{name} has no label {label}")
            elif label not in SCRAPE_LABELS:
                words = value.split("|") if "~" in operator else [value]
                found += [f"{name} has no {label} {word}" for word in words if word not in values(name, label, known)]
    for group in re.findall(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)", bare):
        found += [f"no label {label}" for label in re.findall(r"\w+", group) if label not in labels]
    return found


def values(name, label, metrics):
    """The values that a label can have."""
    if name not in FREE_WORDS:
        return metrics.get(name, {}).get(label, set())
    return set(re.findall(r'"([A-Za-z-]+)"', (ROOT / FREE_WORDS[name]).read_text()))


def check_rules(metrics):
    rules = [rule for group in YAML(typ="safe").load(RULES)["groups"] for rule in group["rules"]]
    check("there are alerts", len(rules) > 15)
    for rule in rules:
        name, expression, annotations = rule["alert"], rule["expr"], rule["annotations"]
        said = faults(expression, metrics)
        check(f"{name}: its metrics exist", not said, said)
        check(f"{name}: how urgent it is", rule["labels"] == {"severity": rule["labels"]["severity"]}
              and rule["labels"]["severity"] in ("page", "ticket"))
        page, _, anchor = annotations["runbook"].partition("#")
        check(f"{name}: its runbook is {annotations['runbook']}", ROOT / page == MONITORING and anchor == name.lower()
              and anchor in anchors(MONITORING))
        check(f"{name}: it has a summary, and nothing else", annotations.keys() == {"summary", "runbook"})
        shown = set(re.findall(r"\$labels\.(\w+)", annotations["summary"]))
        kept = {word for group in re.findall(r"\bby \(([^)]*)\)", expression) for word in re.findall(r"\w+", group)}
        check(f"{name}: its summary shows labels that it has", shown <= kept or "(" not in expression and shown <= SCRAPE_LABELS)
    alerts = MONITORING.read_text().split("\n## Alerts\n")[1].split("\n## ")[0]
    headings = re.findall(r"^### (\w+)$", alerts, re.M)
    check("Monitoring.md explains each alert once, in their order", headings == [rule["alert"] for rule in rules], headings)


def check_dashboard(metrics):
    dashboard = json.loads(DASHBOARD.read_text())
    panels = dashboard["panels"]
    check("there are panels", len(panels) > 15)
    check("each panel has a number", len({panel["id"] for panel in panels}) == len(panels))
    places = [(panel["gridPos"]["x"] + x, panel["gridPos"]["y"] + y) for panel in panels
              for x in range(panel["gridPos"]["w"]) for y in range(panel["gridPos"]["h"])]
    check("no panel covers another", len(set(places)) == len(places) and max(x for x, _ in places) < 24)
    for panel in panels:
        for target in panel["targets"]:
            said = faults(target["expr"].replace("$__rate_interval", "5m"), metrics)
            check(f"the panel {panel['title']}: its metrics exist", not said, said)
            shown = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            kept = {word for group in re.findall(r"\bby \(([^)]*)\)", target["expr"]) for word in re.findall(r"\w+", group)}
            check(f"the panel {panel['title']}: its legend shows labels that it has",
                  shown <= (kept if "(" in target["expr"] else SCRAPE_LABELS))


def check_documents(metrics):
    """Checks the metrics that documents name, with labels or without, and that the pages name each that is served."""
    named = set()
    for path in sorted((ROOT / "Documentation").rglob("*.md")):
        for code in re.findall(r"`([^`]*sealpush_[^`]*)`", prose(path)):
            if re.search(r"sealpush_\w*[a-z](?![\w…])", code) and "(" not in code.split("sealpush_")[0]:
                said = faults(code, metrics)
                check(f"{path.name}: {code}", not said, said)
            named |= set(re.findall(r"sealpush_\w+", code))
    check("documents name metrics", len(named) > 20)
    endings = re.compile(r"_(bucket|sum|count)$")
    known = {endings.sub("", name) if endings.sub("", name) + "_bucket" in metrics else name for name in metrics}
    unnamed = {name for name in known if not any(word.startswith(name) for word in named)
               and not endings.sub("", name) in named}
    check("the documents name each metric that is served", not unnamed, sorted(unnamed))


def main(bin):
    metrics = scrape(bin)
    for expression in ("max(sealpush_qeue_jobs)", 'sealpush_queue_jobs{stat="dead"}', 'sealpush_queue_jobs{state="dread"}',
                       "sum by (suit) (sealpush_pushes_sealed_total)", "1 > 0",
                       'sealpush_apns_refused_total{reason=~"Forbidden|Forbiden"}'):
        check(f"it is noticed: {expression}", faults(expression, metrics))
    check_rules(metrics)
    check_dashboard(metrics)
    check_documents(metrics)
    end(least=100)


main(sys.argv[1])
