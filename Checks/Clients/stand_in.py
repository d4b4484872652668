"""A stand-in for APNs that a check starts, and the contents of its page."""
import json, subprocess, time, urllib.request


class StandIn:
    """`sealpushd apns` with one phone, and the files that it makes in `folder`."""

    def __init__(self, daemon, folder, *words):
        command = [daemon, "apns", "--json", "--port", "0", "--page", "0", "--topic", "com.example.app", *words]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE)
        place = json.loads(self.process.stdout.readline())
        self.host, self.root = f"https://localhost:{place['port']}", folder / place["root"]
        self.page, self.origin = place["page"], place["origin"]
        self.port, self.phones, self.phone = place["port"], place["phones"], place["phones"][0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    def do(self, **command):
        """A command of the page, such as do="delete" for the phone."""
        request = urllib.request.Request(
            f"{self.page}do", json.dumps({"phone": self.phone["name"], **command}).encode(),
            {"origin": self.origin, "content-type": "application/json"})
        urllib.request.urlopen(request, timeout=60).close()

    def details(self, number):
        """Everything that is kept of a push, such as its payload."""
        with urllib.request.urlopen(f"{self.page}pushes/{number}", timeout=60) as answer:
            return json.load(answer)

    def wait(self, is_it, seconds=60):
        """Waits for the first row of the page for which `is_it` holds."""
        deadline = time.monotonic() + seconds
        with urllib.request.urlopen(f"{self.page}events", timeout=seconds) as events:
            for line in events:
                if line.startswith(b"data: ["):
                    if rows := [row for row in json.loads(line[6:]) if is_it(row)]:
                        return rows[0]
                if time.monotonic() > deadline:
                    raise TimeoutError("no such push")
