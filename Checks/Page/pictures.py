"""python3 pictures.py BINARIES FOLDER: renews the documents' pictures of both pages, in light and in dark.

The stand-in's page has two phones, three sealed pushes and a plain one. The operators' page has a queue with jobs that wait, a pause, a
limit, dead letters and a stopped route.
"""
import json, pathlib, sqlite3, subprocess, sys, tempfile, time

from browser import Browser, check

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import end

BINARIES, FOLDER = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
TOPIC = "com.example.app"
TEXTS = (("Ada", "Lunch at noon?"), ("Grace", "The tests pass."), ("Ada", "Bring the punched cards."))


def tool(folder, program, *words, **options):
    done = subprocess.run([BINARIES / program, *words], cwd=folder, capture_output=True, text=True, timeout=60, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{program} {words}: {done.stderr}")
    return done.stdout


def take(address, name, height, is_ready):
    """Saves a page's pictures, in light and in dark, at a width that a document has."""
    page = Browser(address, FOLDER)
    try:
        page.wait(f"{name}", lambda: is_ready(page))
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 1000, "height": height, "deviceScaleFactor": 1, "mobile": False})
        for scheme in ("light", "dark"):
            page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": scheme}]})
            page.picture(f"{name}-{scheme}")
    finally:
        page.driver.quit()


def stand_in(folder):
    for role in ("device", "sender"):
        tool(folder, "sealpush", "keys", "new", "--role", role, "--out", f"{role}.jwks")
        tool(folder, "sealpush", "keys", "export", "--keys", f"{role}.jwks", "--out", f"{role}.pub.jwks")
    server = subprocess.Popen(
        [BINARIES / "sealpushd", "apns", "--json", "--topic", TOPIC, "--keys", "device.jwks", "--senders", "sender.pub.jwks",
         "--phone", "ada", "--phone", "grace", "--port", "0", "--page", "0"], cwd=folder, stdout=subprocess.PIPE)
    try:
        place = json.loads(server.stdout.readline())
        subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "key.p8"],
                       cwd=folder, check=True, capture_output=True)
        (folder / "key.p8").chmod(0o600)
        to = ["--topic", TOPIC, "--endpoint", f"127.0.0.1:{place['port']}", "--trust", place["root"], "--key-file", "key.p8",
              "--key-id", "ABCDE12345", "--team-id", "FGHIJ67890"]
        for number, (title, body) in enumerate(TEXTS):
            token = place["phones"][number % 2]["token"]
            tool(folder, "sealpushd", "send", "--to", "device.pub.jwks", "--from", "sender.jwks", "--token", token, *to,
                 input=json.dumps({"aps": {"alert": {"title": title, "body": body}}}))
        take(place["page"], "stand-in-page", 960, lambda page: len(page.all("#pushes > li")) == len(TEXTS))
    finally:
        server.terminate()
        server.wait(30)


def queue(folder):
    tool(folder, "sealpushd", "enqueue", "--store", "push.sqlite", "--person", "ada", input='{"aps":{"alert":"Lunch at noon?"}}')
    store = sqlite3.connect(folder / "push.sqlite", isolation_level=None)
    payload, now = json.dumps({"aps": {"alert": "Lunch at noon?"}}), time.time()
    insert = "INSERT INTO job (person, payload, topic, push_type, reason, dead_at, attempt) VALUES (?, ?, ?, ?, ?, ?, ?)"
    for topic, kind, count in ((TOPIC, "alert", 212), (TOPIC, "background", 34), ("com.example.chat", "alert", 87)):
        for number in range(count):
            store.execute(insert, (f"person-{number}", payload, topic, kind, None, None, 0))
    reasons = ("APNs: BadDeviceToken", "the payload has no title and no body", "topic: no registration in the store has it")
    for number, reason in enumerate(reasons):
        store.execute(insert, (("ada", "grace", "alan")[number], payload, TOPIC, "alert", reason, now - 600 * number, 3))
    store.execute("INSERT INTO stopped_route VALUES (?, 'sandbox', 'BadEnvironmentKeyInToken', ?)", ("com.example.chat", now))
    store.close()
    tool(folder, "sealpushd", "pause", "--store", "push.sqlite", "--topic", "com.example.chat")
    server = subprocess.Popen([BINARIES / "sealpushd", "page", "--store", "push.sqlite", "--port", "0", "--json"], cwd=folder,
                              stdout=subprocess.PIPE)
    try:
        address = json.loads(server.stdout.readline())["page"]
        take(address, "queue-page", 900, lambda page: len(page.all("#depths tbody tr")) >= 3)
    finally:
        server.terminate()
        server.wait(30)


for make in (stand_in, queue):
    with tempfile.TemporaryDirectory() as name:
        make(pathlib.Path(name))
check("there are four pictures", len(list(FOLDER.glob("*-page-*.png"))) == 4)
end()
