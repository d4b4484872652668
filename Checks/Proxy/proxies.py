"""Debian's proxies, each in a namespace whose /etc/hosts alone knows where the stand-in for APNs is."""
import re, socket, subprocess, time

# A name that no resolver knows (RFC 6761, 6.2).
HOST = "apns.test"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Proxy:
    """A proxy on a port of this machine, whose files are in `folder`, and which leads to `ports` of HOST alone."""

    def __init__(self, folder, ports, user=None, password=None):
        self.folder, self.ports, self.user, self.password = folder, ports, user, password
        self.port = free_port()
        folder.mkdir()
        # squid gives up root.
        folder.chmod(0o777)
        (folder / "hosts").write_text(f"127.0.0.1 localhost {HOST}\n")
        (folder / "conf").write_text(self.configuration())
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        script = f'mount --bind "{self.folder}/hosts" /etc/hosts && exec "$@"'
        with (self.folder / "out").open("a") as out:
            self.process = subprocess.Popen(
                ["unshare", "--mount", "sh", "-c", script, "sh", *self.command], stdout=out, stderr=out)
        for _ in range(300):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise SystemExit(f"{self.name} does not start: {(self.folder / 'out').read_text()}")

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def kill(self):
        """Ends it as a crash would."""
        self.process.kill()
        self.process.wait(60)

    def tunnels(self, count):
        """The targets of all CONNECT requests in its log, once it has so many."""
        for _ in range(100):
            log = self.folder / "log"
            found = re.findall(self.pattern, log.read_text()) if log.exists() else []
            if len(found) >= count:
                break
            time.sleep(0.1)
        return found

    @property
    def place(self):
        return f"127.0.0.1:{self.port}"


class Squid(Proxy):
    name = "squid"
    # Its log has the user as well.
    pattern = r"CONNECT (\S+) "

    def configuration(self):
        lines = [
            f"http_port 127.0.0.1:{self.port}", "acl allowed port " + " ".join(map(str, self.ports)),
            "http_access deny !CONNECT", "http_access deny !allowed"]
        if self.user:
            entry = subprocess.run(["openssl", "passwd", "-apr1", "-stdin"], input=self.password, text=True,
                                   check=True, capture_output=True).stdout
            (self.folder / "passwords").write_text(f"{self.user}:{entry}")
            lines += [f"auth_param basic program /usr/lib/squid/basic_ncsa_auth {self.folder}/passwords",
                      "acl users proxy_auth REQUIRED", "http_access allow users"]
        else:
            lines.append("http_access allow localhost")
        lines += [
            "http_access deny all", "cache deny all", "pinger_enable off", "shutdown_lifetime 0 seconds",
            f"access_log stdio:{self.folder}/log", f"cache_log {self.folder}/cache.log", "buffered_logs off",
            f"pid_filename {self.folder}/pid", f"coredump_dir {self.folder}", "hosts_file /etc/hosts"]
        return "\n".join(lines) + "\n"

    @property
    def command(self):
        return ["squid", "-N", "-f", str(self.folder / "conf")]


class Tinyproxy(Proxy):
    name = "tinyproxy"
    pattern = r"Request \(file descriptor \d+\): CONNECT (\S+) "

    def configuration(self):
        lines = [f"Port {self.port}", "Listen 127.0.0.1", "Timeout 600", f'LogFile "{self.folder}/log"',
                 "LogLevel Connect", "Allow 127.0.0.1"] + [f"ConnectPort {port}" for port in self.ports]
        if self.user:
            lines.append(f"BasicAuth {self.user} {self.password}")
        return "\n".join(lines) + "\n"

    @property
    def command(self):
        return ["tinyproxy", "-d", "-c", str(self.folder / "conf")]
