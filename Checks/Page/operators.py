"""python3 operators.py BINARIES [PICTURES]: the page of sealpushd page in a real browser.

Markup in every field of a store is shown as text; pauses, limits and dead letters are changed by keyboard; the page fits a phone,
in light and in dark. With a folder for PICTURES, it keeps screenshots there.
"""
import json, pathlib, sqlite3, subprocess, sys, tempfile, time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import MARKUP, Browser, check, check_looks, check_no_injection

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import end

BINARIES = pathlib.Path(sys.argv[1]).resolve()
PICTURES = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
TOPIC, SECRET, TOKEN = "com.example.app", "Lunch at noon, secretly", "ab" * 32


class Scene:
    """A store with a device, jobs that wait, dead letters and a route that is stopped; many of their columns are hostile."""

    def __init__(self, folder):
        self.folder = folder
        for role in ("device", "sender"):
            self.tool("sealpush", f"keys new --role {role} --out {role}.jwks")
            self.tool("sealpush", f"keys export --keys {role}.jwks --out {role}.pub.jwks")
        self.enrol()
        self.fill()

    def tool(self, program, line, status=0, **options):
        done = subprocess.run([BINARIES / program, *line.split()], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              **options)
        if done.returncode != status:
            raise RuntimeError(f"{program} {line}: {done.returncode}: {done.stderr}")
        return done.stdout

    def enrol(self):
        audience = "--audience https://push.example.com"
        enrol = f"keys enrol --keys device.jwks --topic {TOPIC} --token {TOKEN} --environment production {audience}"
        accept = f"devices accept --store push.sqlite {audience} --from sender.jwks --registration ada-1"
        asked = self.tool("sealpushd", f"{accept} --person ada --new", 75, input=self.tool("sealpush", enrol))
        (self.folder / "request").write_text(asked.split('"payload":')[-1].removesuffix("}}\n"))
        answer = self.tool("sealpush", f"{enrol} --answer request --senders sender.pub.jwks")
        self.tool("sealpushd", accept, input=answer)

    def fill(self):
        store = sqlite3.connect(self.folder / "push.sqlite", isolation_level=None)
        payload, now = json.dumps({"aps": {"alert": SECRET}}), time.time()
        store.execute("BEGIN")
        for topic, kind, count in ((TOPIC, "alert", 40), (TOPIC, "background", 7), (MARKUP, MARKUP, 3), (None, "alert", 2)):
            for _ in range(count):
                store.execute("INSERT INTO job (person, payload, topic, push_type) VALUES (?, ?, ?, ?)",
                              (MARKUP, payload, topic, kind))
        for number in range(250):
            store.execute("INSERT INTO job (person, payload, topic, reason, dead_at, attempt) VALUES (?, ?, ?, ?, ?, 3)",
                          (MARKUP if number == 0 else f"person-{number}", payload, TOPIC, f"{MARKUP} {number}", now))
        store.execute("INSERT INTO stopped_route VALUES (?, 'sandbox', ?, ?)", (TOPIC, f"Forbidden {MARKUP}", now + 3600))
        store.execute("COMMIT")
        store.close()

    def queue(self):
        return json.loads(self.tool("sealpushd", "queue --store push.sqlite --json"))

    def start(self):
        server = subprocess.Popen(
            [BINARIES / "sealpushd", "page", "--store", "push.sqlite", "--port", "0", "--json"], cwd=self.folder,
            stdout=subprocess.PIPE)
        return server, json.loads(server.stdout.readline())["page"]


class Page(Browser):
    def rows(self, table):
        return [row.text for row in self.all(f"#{table} tbody tr")]

    def type(self, selector, text):
        field = self.find(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE)
        field.send_keys(text)
        return field

    def press(self, table, label):
        buttons = self.all(f"#{table} button")
        next(button for button in buttons if button.text == label).send_keys(Keys.ENTER)


def check_view(page):
    page.wait("the counts", lambda: "52" in page.find("#numbers").text and "250" in page.find("#numbers").text)
    page.wait("the depths", lambda: len(page.rows("depths")) == 4)
    check("the largest group is first", page.rows("depths")[0].split() == [TOPIC, "alert", "40", "250"])
    check("a group's markup is text", any(row.startswith(MARKUP) for row in page.rows("depths")))
    check("a route says why it is stopped", f"Forbidden {MARKUP}" in page.rows("stopped")[0])
    check("no markup became an element", not page.all("main img, main script, main b"))
    page.picture("operators-start")
    check("no text of a message is shown", SECRET not in page.driver.page_source)
    page.driver.refresh()
    page.wait("the page after a reload", lambda: page.find("#status").text == "connected")


def check_pauses(page, scene):
    page.type("#pause-topic", TOPIC)
    page.find("#pause-environment option:nth-child(2)").click()
    page.find("#pause button").send_keys(Keys.ENTER)
    page.wait("a pause", lambda: len(page.rows("pauses")) == 1 and TOPIC in page.rows("pauses")[0])
    pause = scene.queue()["paused"][0]
    check("the store has the pause", (pause["topic"], pause["environment"]) == (TOPIC, "production"))
    page.type("#pause-topic", "not a topic").send_keys(Keys.ENTER)
    page.wait("a refusal", lambda: "400" in page.find("#message").text)
    page.press("pauses", "Resume")
    page.wait("no pause", lambda: not page.rows("pauses") and "paused" not in scene.queue())
    page.type("#rate-topic", TOPIC)
    page.type("#rate-limit", "6000/1m").send_keys(Keys.ENTER)
    page.wait("a limit", lambda: len(page.rows("rates")) == 1 and "6,000" in page.rows("rates")[0])
    check("the store has the limit", scene.queue()["rates"][0]["count"] == 6000)
    page.press("rates", "Remove the limit")
    page.wait("no limit", lambda: not page.rows("rates"))


def check_letters(page, scene):
    page.wait("a hundred dead letters", lambda: len(page.rows("dead")) == 100)
    check("a person's markup is text", any(MARKUP in row for row in page.rows("dead")))
    page.find("#more").send_keys(Keys.ENTER)
    page.wait("more", lambda: len(page.rows("dead")) == 200)
    page.type("#dead-person", "person-7").send_keys(Keys.ENTER)
    page.wait("the one that is searched for", lambda: len(page.rows("dead")) == 1 and "person-7" in page.rows("dead")[0])
    page.picture("operators-search")
    check("no text of a message is in what was found", SECRET not in page.driver.page_source)
    page.find("#dead input").send_keys(Keys.SPACE)
    page.find("#resend").send_keys(Keys.ENTER)
    page.wait("one ready again", lambda: page.find("#dead caption").text == "None." and scene.queue()["dead"] == 249)
    page.type("#dead-person", "")
    page.type("#dead-reason", "<IMG SRC=X onerror=\"window.hacked=1\"><script>window.hacked=2</script> 24").send_keys(Keys.ENTER)
    page.wait("reasons that are searched for", lambda: len(page.rows("dead")) == 11)
    for box in page.all("#dead input")[:2]:
        box.send_keys(Keys.SPACE)
    page.find("#delete").send_keys(Keys.ENTER)
    page.driver.switch_to.alert.dismiss()
    check("nothing is deleted without a yes", scene.queue()["dead"] == 249)
    page.find("#delete").send_keys(Keys.ENTER)
    page.driver.switch_to.alert.accept()
    page.wait("two deleted", lambda: len(page.rows("dead")) == 9 and scene.queue()["dead"] == 247)


def check_devices(page):
    page.type("#device-person", "ada").send_keys(Keys.ENTER)
    page.wait("a device", lambda: len(page.rows("devices")) == 1)
    check("a device is named, with its state",
          page.rows("devices")[0].startswith(f"ada-1 {TOPIC} production reachable"))
    check("no token is shown", TOKEN not in page.driver.page_source)
    page.type("#device-person", MARKUP).send_keys(Keys.ENTER)
    page.wait("no device", lambda: page.find("#devices caption").text == "None.")


def main():
    with tempfile.TemporaryDirectory() as folder:
        scene = Scene(pathlib.Path(folder))
        server, address = scene.start()
        page = None
        try:
            page = Page(address, PICTURES)
            check_view(page)
            for part in (check_pauses, check_letters):
                part(page, scene)
            check_devices(page)
            check_looks(page, "operators-")
            errors = [entry["message"] for entry in page.driver.get_log("browser") if entry["level"] == "SEVERE"]
            check(f"the browser reports only the command that was refused: {errors[:3]}", len(errors) == 1 and "400" in errors[0])
            check_no_injection(page)
            server.terminate()
            check("it ends when it is asked to, with the page open", server.wait(30) == 0)
        finally:
            if page:
                page.driver.quit()
            if server.poll() is None:
                server.kill()
    end()


main()
