"""The place where faults are tried: the programs, their inputs, and the tool's readings of key files."""
import json, subprocess, threading

import extension_flows, lines_flow, tool_flows
from key_sets import KeySet
from stage import Broken


class Workshop:
    """A folder with the inputs, and below it a folder for each flow."""

    def __init__(self, products, root):
        self.tool, self.extension, self.root = products / "sealpush", products / "extension-process", root
        self.inputs = root / "inputs"
        self.inputs.mkdir(mode=0o700)
        self.known, self.lock = {}, threading.Lock()
        tool_flows.make_inputs(self)
        lines_flow.make_jobs(self)
        extension_flows.make_pushes(self)

    def write(self, name, data):
        path = self.inputs / name
        path.write_bytes(data)
        path.chmod(0o600)

    def run(self, words, cwd=None):
        return subprocess.run([self.tool, *words.split()], cwd=cwd or self.inputs, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=60)

    def succeed(self, words, status=0):
        done = self.run(words)
        if done.returncode != status:
            raise Broken(f"{words}: {done.stderr.decode()}")
        return done.stdout

    def show(self, folder, pushes, *words):
        """Lets the extension show pushes, so that it has something to remember."""
        payloads = b"".join((self.inputs / name).read_bytes() for name in pushes)
        subprocess.run([self.extension, folder, *words], input=payloads, capture_output=True, check=True, timeout=60)

    def key_set(self, data):
        """The set in a key file's bytes, as the tool reads it."""
        with self.lock:
            if data not in self.known:
                self.write("listed.jwks", data)
                self.known[data] = KeySet(data, json.loads(self.succeed("keys list --json --keys listed.jwks")))
            return self.known[data]
