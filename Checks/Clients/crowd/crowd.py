"""python3 crowd.py BINARIES PYAPNS2: other programs' clients send thousands of pushes to the stand-in, each its own way.

Each push has its own text, and goes to one of ten phones in turn. Every client must have every push accepted, and the stand-in's page must show each text once.
PYAPNS2 is a Python with that library. COUNT in the environment is how many pushes each client sends, 5,000 if it is missing.
"""
import json, os, pathlib, subprocess, sys, tempfile, time, urllib.request

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here.parent))
from stand_in import StandIn

COUNT = int(os.environ.get("COUNT", "5000"))


def shown(stand_in):
    """The texts that the phones show, as often as they show them; empty for a push that is not shown."""
    texts = {}
    end = time.monotonic() + 60
    with urllib.request.urlopen(f"{stand_in.page}events", timeout=60) as events:
        for line in events:
            if line.startswith(b"data: ["):
                for row in json.loads(line[6:]):
                    texts[row["number"]] = row["person"]
            if len(texts) >= COUNT and all(texts.values()) or time.monotonic() > end:
                break
    return sorted(texts.values())


def send(command, binaries):
    """Has a client send its pushes; returns what is wrong, or None."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run(["openssl", "genpkey", "-quiet", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out",
                        folder / "AuthKey_ABCDE12345.p8"], check=True)
        phones = [word for number in range(10) for word in ("--phone", str(number))]
        with StandIn(f"{binaries}/sealpushd", folder, "--log", str(2 * COUNT), *phones) as stand_in:
            environment = os.environ | {
                "PORT": str(stand_in.port), "TOKENS": " ".join(phone["token"] for phone in stand_in.phones), "COUNT": str(COUNT),
                "ROOT": str(stand_in.root), "P8": str(folder / "AuthKey_ABCDE12345.p8")}
            run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500)
            if run.returncode or run.stdout.strip() != f"{COUNT} accepted":
                return f"status {run.returncode}: {run.stdout[-300:]} {run.stderr[-1000:]}"
            texts = shown(stand_in)
            wanted = sorted(f"push {number}" for number in range(COUNT))
            return None if texts == wanted else f"{len(texts)} pushes are shown, of {len(set(texts))} texts"


def main(binaries, pyapns2):
    clients = {
        "httpx": [sys.executable, here / "send_httpx.py"], "aioapns": [sys.executable, here / "send_aioapns.py"],
        "PyAPNs2": [pyapns2, here / "send_pyapns2.py"], "Node": ["node", here / "send.mjs"],
        "Java": ["java", here / "Send.java"]}
    faults = 0
    for name, command in clients.items():
        start = time.monotonic()
        fault = send(command, binaries)
        faults += fault is not None
        print(f"{name}: {fault or f'{COUNT} pushes, each accepted and shown once'}, {time.monotonic() - start:.1f} s", flush=True)
    print(f"{len(clients) - faults} passed, {faults} failed")
    return 1 if faults else 0


sys.exit(main(*sys.argv[1:]))
