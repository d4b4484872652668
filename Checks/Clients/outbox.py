"""python3 outbox.py FOLDER: the code of Documentation/Guides/Outbox.md tells a phone what was bought. FOLDER has the tools.

Each program has its own store. It enrols a phone, which is asked to prove its key, and submits an invalid enrolment. It
sells, tries to sell the same again, which its database refuses, and writes a row that is not a valid job.
"""
import concurrent.futures, json, os, pathlib, re, subprocess, sys, tempfile, uuid

import psycopg
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import blocks, check, end
from cluster import Cluster
from stand_in import StandIn

ADDRESS = "postgresql://shop@db.example.com/shop?sslmode=verify-full"
TOPIC, AUDIENCE = "com.example.app", "https://push.example.com"
GRANTS, BUY, LATER, ENROL, ANSWER, REACHABLE, MOVE = blocks("Documentation/Guides/Outbox.md", "postgresql")
SQLITE, PSYCOPG = blocks("Documentation/Guides/Outbox.md", "python")


class Python:
    """The page's program in Python; each call is a process of its own."""

    def __init__(self, folder, code):
        self.folder, self.code = folder, code

    def call(self, name, *words):
        code = f"{self.code}\nprint(json.dumps({name}(*{words!r})))"
        done = subprocess.run([sys.executable, "-c", code], cwd=self.folder, capture_output=True, text=True, timeout=60)
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr.splitlines()[-1]


class Psql:
    """The page's SQL, in psql."""

    def __init__(self, folder, address):
        self.folder, self.address = folder, address

    def run(self, sql, **values):
        settings = [f"--set={name}={value}" for name, value in dict(values, ON_ERROR_STOP=1).items()]
        return subprocess.run(
            ["psql", "--no-psqlrc", "--quiet", "--csv", "--tuples-only", *settings, "--file=-", self.address], input=sql,
            cwd=self.folder, capture_output=True, text=True, timeout=60)

    def call(self, name, *words):
        if name == "buy":
            done = self.run(BUY, person=words[0], article=words[1])
            return None if done.returncode == 0 else done.stderr
        if name == "answer":
            # The answer is one value, whatever text it has.
            done = self.run(ANSWER.replace("SELECT ", "SELECT json_build_array(").replace(" FROM", ") FROM"), number=words[0])
            return json.loads(done.stdout.strip()[1:-1].replace('""', '"'))
        (self.folder / "enrolment.json").write_text(words[2])
        done = self.run(ENROL, registration=words[0], person=words[1], is_new=words[3])
        return int(done.stdout)


class Sale:
    """A program, its store, a stand-in for APNs with Ada's phone, and workers."""

    def __init__(self, bin, folder, shop, store):
        self.bin, self.folder, self.shop, self.store = bin, folder, shop, store

    def tool(self, program, *words, **options):
        done = subprocess.run([self.bin / program, *words], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              **options)
        return done

    def enrolment(self, *words):
        phone = self.stand_in.phone
        return self.tool(
            "sealpush", "keys", "enrol", "--keys", "device.jwks", "--identity", "identity.jwks", "--topic", TOPIC, "--token",
            phone["token"], "--environment", phone["environment"], "--audience", AUDIENCE, *words).stdout

    def work(self):
        """What a worker has done when the queue is empty."""
        done = self.tool(
            "sealpushd", "work", "--store", self.store, "--from", "sender.jwks", "--key-file", "AuthKey_ABCDE12345.p8",
            "--key-id", "ABCDE12345", "--team-id", "FGHIJ67890", "--endpoint", f"127.0.0.1:{self.stand_in.port}", "--trust",
            "apns-root.pem", "--audience", AUDIENCE, "--once")
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return json.loads(done.stderr.splitlines()[-1])

    def check(self, what, is_right, said=""):
        check(f"{self.name}: {what}", is_right, said)

    def run(self, name):
        self.name = name
        words = ["--keys", "device.jwks", "--senders", "sender.pub.jwks"]
        with StandIn(str(self.bin / "sealpushd"), self.folder, *words) as self.stand_in:
            self.register()
            self.sell()

    def register(self):
        call = self.shop.call
        phone = call("enrol", "ada-1", "ada", self.enrolment(), True)
        none = call("enrol", "eve-1", "eve", '{"v":1}', True)
        self.check("nobody has answered yet", call("answer", phone) == [None, None, None])
        self.work()
        answer, reason, request = call("answer", phone)
        self.check("a new device is pending", (answer, reason) == ("pending", None), (answer, reason))
        self.check("the request is where it belongs", (request is None) != isinstance(self.shop, Psql), request)
        answer, reason, _ = call("answer", none)
        self.check("what is no enrolment is refused", answer == "refused" and reason, (answer, reason))
        if request is None:
            row = self.stand_in.wait(lambda row: "the app" in row["why"])
            request = self.stand_in.details(row["number"])["payload"]
        (self.folder / "request.json").write_text(request)
        proof = self.enrolment("--answer", "request.json", "--senders", "sender.pub.jwks")
        phone = call("enrol", "ada-1", "ada", proof, False)
        self.work()
        self.check("it proves what it must", call("answer", phone) == ["registered", None, None], call("answer", phone))
        if isinstance(self.shop, Psql):
            for person, answer in (("ada", "t"), ("eve", "f")):
                done = self.shop.run(REACHABLE, person=person)
                self.check(f"{person} is reachable: {answer}", done.stdout.strip() == answer, done.stdout + done.stderr)

            moved = [self.shop.run(MOVE, person="ada") for _ in range(2)]
            self.check("an order moves", all(done.returncode == 0 for done in moved), moved)
            done = self.work()
            # The later update takes the place of the one that waits; the phone has no such activity.
            self.check("an update waits for no phone", (done["done"], done["without_devices"]) == (1, 1), done)

    def sell(self):
        call = self.shop.call
        self.check("it sells", call("buy", "ada", "carrots") is None)
        self.check("it sells nothing twice", "unique" in str(call("buy", "ada", "carrots")).lower())
        self.check("a wrong row does not end its transaction", call("buy", "", "leeks") is None)
        self.check("it sells again", call("buy", "ada", "onions") is None)
        in_sql = isinstance(self.shop, Psql)
        if in_sql:
            later = [self.shop.run(LATER, person="ada") for _ in range(2)]
            self.check("it asks for a rating, twice", all(done.returncode == 0 for done in later), later)
        done = self.work()
        self.check("a purchase that is rolled back sends nothing", (done["done"], done["dead"]) == (2, 1), done)
        for article in ("carrots", "onions"):
            self.stand_in.wait(lambda row: f"Your {article} are on their way" in row["person"])
        dead = self.tool("sealpushd", "queue", "dead", "--json", "--store", self.store).stdout.splitlines()
        reason = json.loads(dead[0])["reason"]
        self.check("the wrong row is a dead letter, with its reason", len(dead) == 1 and reason.startswith("person: "), dead)
        queue = json.loads(self.tool("sealpushd", "queue", "--json", "--store", self.store).stdout)
        left = (queue["ready"], queue["delayed"], queue["leased"])
        self.check("nothing is left but the rating, once", left == (0, int(in_sql), 0), queue)


def keys(bin, folder):
    """Makes the keys that every sale needs: a sender's, a team's and an identity's."""
    for words in (["new", "--role", "sender", "--out", "sender.jwks"], ["new", "--role", "identity", "--out", "identity.jwks"],
                  ["export", "--keys", "sender.jwks", "--out", "sender.pub.jwks"]):
        subprocess.run([bin / "sealpush", "keys", *words], cwd=folder, check=True, capture_output=True)
    subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out",
                    "AuthKey_ABCDE12345.p8"], cwd=folder, check=True, capture_output=True)
    (folder / "AuthKey_ABCDE12345.p8").chmod(0o600)


def in_sqlite(bin, folder):
    keys(bin, folder)
    subprocess.run([bin / "sealpushd", "enqueue", "--lines", "--store", "push.sqlite"], cwd=folder, check=True,
                   stdin=subprocess.DEVNULL, capture_output=True)
    sale = Sale(bin, folder, Python(folder, SQLITE), "push.sqlite")
    sale.run("Python and SQLite")
    with StandIn(str(bin / "sealpushd"), folder, "--keys", "device.jwks", "--senders", "sender.pub.jwks", "--token",
                 sale.stand_in.phone["token"]) as sale.stand_in:
        subprocess.run([bin / "Outbox"], cwd=folder, check=True)
        check("Swift: it is sent", sale.work()["done"] == 1)
        sale.stand_in.wait(lambda row: "Your carrots are on their way" in row["person"])


def in_postgresql(bin, folder, cluster, name, shop):
    """Runs a shop in a database of its own; `shop` makes it from the address for the page's role."""
    keys(bin, folder)
    database = name.replace(" ", "_")
    with psycopg.connect(cluster.address(), autocommit=True) as administrator:
        administrator.execute(f'CREATE DATABASE "{database}"')
    store = cluster.address(database)
    subprocess.run([bin / "sealpushd", "store", "check", "--store", store], check=True, capture_output=True)
    with psycopg.connect(store, autocommit=True) as administrator:
        # A role belongs to the whole cluster.
        role = f"shop_{uuid.uuid4().hex}"
        administrator.execute(re.sub(r"\bshop\b", role, GRANTS))
    Sale(bin, folder, shop(folder, store.replace("postgres@", f"{role}@")), store).run(name)


with tempfile.TemporaryDirectory() as name, Cluster(fsync="off") as cluster:
    bin = pathlib.Path(sys.argv[1]).resolve()
    check("the page names its server", ADDRESS in PSYCOPG)
    folders = [pathlib.Path(name) / part for part in ("sqlite", "psycopg", "psql")]
    for folder in folders:
        folder.mkdir()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        sales = [
            pool.submit(in_sqlite, bin, folders[0]),
            pool.submit(in_postgresql, bin, folders[1], cluster, "Python and PostgreSQL",
                        lambda folder, address: Python(folder, PSYCOPG.replace(ADDRESS, address))),
            pool.submit(in_postgresql, bin, folders[2], cluster, "psql", Psql)]
    for sale in sales:
        sale.result()
end(least=30)
