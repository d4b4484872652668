"""A page of sealpushd in Chromium, and what all pages have in common."""
import pathlib, sys

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from results import check

MARKUP = '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>'


class Browser:
    """A page that is open; `pictures` is a folder for screenshots, or None."""

    def __init__(self, address, pictures=None):
        self.pictures = pictures
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,900"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.get(address)
        self.wait("the connection", lambda: self.find("#status").text == "connected")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, what, is_so):
        try:
            WebDriverWait(self.driver, 60, poll_frequency=0.05, ignored_exceptions=(Exception,)).until(lambda _: is_so())
        except Exception:
            check(f"waited for {what}", False)

    def run(self, script, *arguments):
        return self.driver.execute_script("return " + script, *arguments)

    def picture(self, name):
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
            self.driver.save_screenshot(str(self.pictures / f"{name}.png"))


def check_no_injection(page):
    """No markup has become an element, and no script ran, whoever injects it."""
    check("no script of outside ran", page.run("window.hacked") is None)
    check("an injected script does not run, whoever injects it", page.run("""(() => {
        const script = document.createElement('script');
        try { script.textContent = 'window.hacked = 3'; document.body.append(script); } catch { }
        try { document.body.innerHTML += '<img src=x onerror="window.hacked=4">'; } catch { }
        return window.hacked })()""") is None)


def check_looks(page, prefix=""):
    grounds = set()
    for width, name in ((1200, "wide"), (360, "phone")):
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500})
        for scheme in ("light", "dark"):
            page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": scheme}]})
            page.run("scrollTo(0, 0)")
            grounds.add(page.run("getComputedStyle(document.body).backgroundColor"))
            page.picture(f"{prefix}{name}-{scheme}")
        wide = page.run("""[...document.querySelectorAll('*')].filter(node =>
            node.getBoundingClientRect().right > arguments[0] + 1).map(node => node.id || node.className)""", width)
        check(f"nothing sticks out at {width}: {wide[:5]}", not wide)
    check("light and dark differ", len(grounds) == 2)
    unnamed = page.run("""[...document.querySelectorAll('input, select, button')].filter(field =>
        !field.closest('[hidden]') && !field.labels?.length && !field.ariaLabel && !field.textContent).length""")
    check("every control has a name", unnamed == 0)
