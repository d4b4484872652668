"""python3 page.py BINARIES [PICTURES]: the page of sealpushd apns in a real browser.

Pushes with markup in every field are shown as text; phones are switched and faults made by keyboard; ten thousand
pushes stay quick; the page fits a phone, in light and in dark. With a folder for PICTURES, it keeps screenshots there.
"""
import asyncio, base64, json, os, pathlib, subprocess, sys, tempfile, time
import httpx
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import MARKUP, Browser, check, check_looks, check_no_injection

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import end

BINARIES = pathlib.Path(sys.argv[1])
PICTURES = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
COUNT = 10_000


def start(folder):
    server = subprocess.Popen(
        [BINARIES / "sealpushd", "apns", "--json", "--topic", "com.example.app", "--phone", "Ada", "--phone", MARKUP,
         "--port", "0", "--page", "0", "--log", str(COUNT)], cwd=folder, stdout=subprocess.PIPE)
    return server, json.loads(server.stdout.readline())


def encoded(part):
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


def provider_token():
    claims = {"iss": "TEAM123456", "iat": int(time.time())}
    parts = [json.dumps({"alg": "ES256", "kid": "ABC123DEFG"}).encode(), json.dumps(claims).encode(), os.urandom(64)]
    return ".".join(map(encoded, parts))


class Provider:
    def __init__(self, place, folder):
        self.url = f"https://localhost:{place['port']}/3/device/"
        self.tokens = {phone["name"]: phone["token"] for phone in place["phones"]}
        self.headers = {"authorization": "bearer " + provider_token(), "apns-topic": "com.example.app",
                        "apns-push-type": "alert"}
        self.root = str(folder / place["root"])

    def push(self, text, phone="Ada", **headers):
        return asyncio.run(self.push_all([text], phone, **headers))[0]

    async def push_all(self, texts, phone="Ada", **headers):
        headers = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        async with httpx.AsyncClient(http1=False, http2=True, verify=self.root, timeout=60) as client:
            async def one(text):
                payload = {"aps": {"alert": {"title": text, "subtitle": text, "body": text}}, "custom": text}
                answer = await client.post(self.url + self.tokens.get(phone, phone), headers=headers, json=payload)
                return answer.status_code

            # The first valid token opens the connection for more than one stream.
            first = [await one(texts[0])]
            for begin in range(1, len(texts), 200):
                first += await asyncio.gather(*map(one, texts[begin:begin + 200]))
            return first


class Page(Browser):
    def rows(self):
        return [row.text for row in self.all("#pushes > li .row")]

    def seen(self):
        """What the person sees for the newest push."""
        return self.find("#pushes .row > :nth-child(4)").text

    def phone(self, name):
        return next(item for item in self.all("#phones li") if item.find_element(By.TAG_NAME, "b").text == name)

    def token(self, name):
        return self.phone(name).find_element(By.CLASS_NAME, "token").text

    def state(self, name):
        return self.phone(name).find_element(By.CLASS_NAME, "soft").text

    def press(self, label, phone):
        """Presses a phone's button by keyboard; a person reaches it with the tab key."""
        buttons = self.phone(phone).find_elements(By.TAG_NAME, "button")
        next(button for button in buttons if button.text == label).send_keys(Keys.ENTER)


def check_markup(page, provider):
    for phone, headers in (("Ada", {"apns_collapse_id": "<b>id</b>"}), (MARKUP, {}), ("<b>nobody", {})):
        status = provider.push(MARKUP, phone, **headers)
        check(f"a push to {phone} is answered", status == (400 if phone.endswith("nobody") else 200))
    page.wait("three rows", lambda: len(page.rows()) == 3)
    for row in page.all("#pushes > li .row"):
        row.send_keys(Keys.ENTER)
    page.wait("the details", lambda: len(page.all(".details pre")) == 9)
    check("markup is shown as text", all(MARKUP in row for row in page.rows()))
    check("no markup became an element", not page.all("main img, main script, #pushes b"))
    check("a header's markup is text", any("<b>id</b>" in part.text for part in page.all(".details pre")))
    check_no_injection(page)
    page.picture("markup")
    page.driver.refresh()
    page.wait("the page after a reload", lambda: len(page.rows()) == 3)


def check_phones(page, provider):
    page.press("Switch off", "Ada")
    page.wait("a phone that is off", lambda: page.state("Ada").startswith("off"))
    check("the focus stays where it was", page.run("document.activeElement.textContent") == "Switch on")
    provider.push("while off")
    page.wait("a push that is kept", lambda: "kept: the phone is off" in page.rows()[0])
    check("nobody sees it yet", page.seen() == "nothing")
    page.press("Switch on", "Ada")
    page.wait("a push that is shown", lambda: "while off" in page.seen())
    page.press("Lock", "Ada")
    page.wait("a phone that is locked", lambda: "locked" in page.state("Ada"))
    token = page.token("Ada")
    page.press("New token", "Ada")
    page.wait("another token", lambda: page.token("Ada") != token)
    check("the old token is refused", provider.push("old token") == 410)
    page.press("Delete the app", MARKUP)
    page.wait("a phone fewer", lambda: len(page.all("#phones li")) == 1)
    provider.tokens["Ada"] = page.token("Ada")


def check_faults(page, provider):
    fields = {"refusal": ["code", "reason", "count"], "latency": ["amount", "count"], "cut": ["count"]}
    for kind, names in fields.items():
        page.find(f"#kind option[value={kind}]").click()
        shown = [field.get_attribute("id") for field in page.all("#fault input") if field.is_displayed()]
        check(f"the fields of '{kind}' are shown: {shown}", shown == names)
    page.find("#kind option[value=refusal]").click()
    for selector, value in (("#code", "429"), ("#reason", "TooManyRequests"), ("#count", "2")):
        field = page.find(selector)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(value)
    page.find("#count").send_keys(Keys.ENTER)
    page.wait("a fault", lambda: "429 TooManyRequests: the next 2" in page.find("#faults").text)
    check("the fault happens", [provider.push("fault") for _ in range(3)] == [429, 429, 200])
    page.wait("no fault", lambda: page.find("#faults").text == "")


def check_many(page, provider):
    texts = [f"push number {number}" for number in range(COUNT)]
    statuses = asyncio.run(provider.push_all(texts))
    check("all are accepted", statuses == [200] * COUNT)
    page.wait("ten thousand", lambda: page.find("#pushes-title").text == f"Pushes ({COUNT})")
    check("the page holds no more rows than it shows", len(page.all("#pushes > li")) == 200)
    search = page.find("#search")
    search.send_keys("number 4711")
    page.wait("the one that is searched for", lambda: len(page.rows()) == 1 and "number 4711" in page.rows()[0])
    check("a search is quick", page.run("""(() => {
        const begin = performance.now(); draw(); return performance.now() - begin })()""") < 1000)
    page.picture("search")
    search.send_keys(Keys.CONTROL, "a")
    search.send_keys(Keys.DELETE)
    page.wait("all again", lambda: len(page.all("#pushes > li")) == 200)
    page.find("#more").send_keys(Keys.ENTER)
    page.wait("older ones", lambda: len(page.all("#pushes > li")) == 400)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        server, place = start(folder)
        page = None
        try:
            provider = Provider(place, folder)
            page = Page(place["page"], PICTURES)
            check_markup(page, provider)
            noise = [entry["message"] for entry in page.driver.get_log("browser")]
            for part in (check_phones, check_faults, check_many):
                part(page, provider)
            check_looks(page)
            errors = [entry["message"] for entry in page.driver.get_log("browser") if entry["level"] == "SEVERE"]
            check(f"the browser reports no error: {errors[:3]}", not errors)
            check(f"the policy stopped the injected script: {noise[:3]}", all("has been blocked" in line for line in noise) and noise)
            server.terminate()
            check("it ends when it is asked to, with the page open", server.wait(30) == 0)
        finally:
            if page:
                page.driver.quit()
            if server.poll() is None:
                server.kill()
    end()


main()
