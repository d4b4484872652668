"""Seals pushes with a co-process: python3 sealer.py sealpush seal --lines … <JOBS. See Documentation/Guides/CoProcess.md."""
import json, subprocess, sys, threading


class Sealer:
    """Any thread may seal; each waits for its own answer."""

    def __init__(self, command):
        self.process = subprocess.Popen([*command, "--errors", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lock, self.count = threading.Lock(), 0

    def seal(self, to, payload, **options):
        """The pushes to an array of devices, to a person's or to one. If this raises, there is nothing to send."""
        if isinstance(to, str) or isinstance(to, dict) and "person" not in to:
            to = [to]  # so that the answer has pushes
        with self.lock:
            self.count += 1
            line = json.dumps({**options, "id": self.count, "to": to, "payload": payload}) + "\n"
            try:
                self.process.stdin.write(line.encode())
                self.process.stdin.flush()
                answer = json.loads(self.process.stdout.readline())
                if answer.get("id", self.count) != self.count:
                    raise ValueError("the answer is another line's")
            except (OSError, ValueError) as error:
                self.process.kill()
                raise RuntimeError("the co-process has ended") from error
        if "error" in answer:
            raise ValueError(f"{answer['error']}: {answer['message']}")
        return answer["pushes"]


if __name__ == "__main__":
    sealer = Sealer(sys.argv[1:])
    for job in map(json.loads, sys.stdin):
        try:
            for push in sealer.seal(job["to"], job["payload"]):
                # Without "error": POST its body with its headers to /3/device/<device_token>.
                print(json.dumps(push))
        except ValueError as error:
            print(json.dumps({"refused": str(error)}))
