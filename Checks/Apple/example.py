"""Checks that property lists, entitlements and project.yml of Examples/iOS, which no compiler reads, agree with the code."""

import plistlib
import re
import shutil

FOLDERS = {"Lunch": "App", "LunchExtension": "Extension", "LunchWidget": "Widget"}

# Only the app may have it, because the extension parses data that anyone can send.
IDENTITY = "IdentityGroup"

# Faults that must be found: a file, a text in it, the text that replaces it, and the finding.
PLANTED = [
    ("Extension/Info.plist", "$(PRODUCT_MODULE_NAME).", "", "Extension: principal class"),
    ("Extension/Info.plist", "KeychainGroup", IDENTITY, f"Extension: {IDENTITY}"),
    ("Widget/Widget.entitlements", "lunch.shared", "lunch", "Widget: Keychain group"),
    ("Shared/Shared.swift", "group.com.example.lunch", "group.com.example", "App: App Group"),
    ("project.yml", "com.example.lunch.widget", "com.example.widget", "Widget: its bundle id begins with the app's"),
]


def prove(root, folder):
    """Stops unless each planted fault is found in a copy of the example, in `folder`."""
    for path, text, other, finding in PLANTED:
        shutil.copytree(root, folder)
        planted = (folder / path).read_text().replace(text, other)
        (folder / path).write_text(planted)
        found = findings(folder)
        shutil.rmtree(folder)
        if finding not in found:
            raise SystemExit(f"the planted fault in {path} gives: {', '.join(found)}")
        print(f"found: {finding}", flush=True)


def plist(path):
    with path.open("rb") as file:
        return plistlib.load(file)


def findings(root):
    """The faults of the example."""
    project = (root / "project.yml").read_text()
    shared = "".join(path.read_text() for path in sorted((root / "Shared").glob("*.swift")))
    wrong = []

    def check(what, holds):
        if not holds:
            wrong.append(what)

    (app_group,) = re.findall(r'\bappGroup: "([^"]+)"', shared)
    (topic,) = re.findall(r'Topic\("([^"]+)"\)', shared)
    check("project.yml: the app's bundle id is the topic", f"PRODUCT_BUNDLE_IDENTIFIER: {topic}\n" in project)
    for target, folder in FOLDERS.items():
        info, entitlements = plist(root / folder / "Info.plist"), plist(root / folder / f"{folder}.entitlements")
        for name in ("Info.plist", f"{folder}.entitlements"):
            check(f"project.yml: {folder}/{name}", f": {folder}/{name}\n" in project)
        sources = f"  {target}:\n    type: {'application' if folder == 'App' else 'app-extension'}\n"
        check(f"project.yml: {target}", sources in project and f"sources: [{folder}, Shared, Keys]" in project)
        check(f"{folder}: App Group", entitlements.get("com.apple.security.application-groups") == [app_group])
        check(f"{folder}: Keychain group", entitlements.get("keychain-access-groups") == [info.get("KeychainGroup")])
        check(f"{folder}: {IDENTITY}", (IDENTITY in info) == (folder == "App"))
        check(f"{folder}: its bundle id begins with the app's",
              folder == "App" or f"PRODUCT_BUNDLE_IDENTIFIER: {topic}.{folder.lower()}\n" in project)
    app = plist(root / "App/Info.plist")
    check("App: background pushes", app.get("UIBackgroundModes") == ["remote-notification"])
    check("App: Live Activities", app.get("NSSupportsLiveActivities") is True)
    check("App: communication notifications", app.get("NSUserActivityTypes") == ["INSendMessageIntent"])
    check("App: the publisher judges encryption", "ITSAppUsesNonExemptEncryption" not in app)
    rights = plist(root / "App/App.entitlements")
    check("App: pushes", "aps-environment" in rights)
    for right in ("communication", "time-sensitive"):
        check(f"App: {right}", rights.get(f"com.apple.developer.usernotifications.{right}") is True)
    check("App: privacy manifest", plist(root / "App/PrivacyInfo.xcprivacy").get("NSPrivacyTracking") is False)
    extension = plist(root / "Extension/Info.plist")["NSExtension"]
    module, _, name = extension["NSExtensionPrincipalClass"].rpartition(".")
    service = (root / "Extension/NotificationService.swift").read_text()
    check("Extension: principal class", module == "$(PRODUCT_MODULE_NAME)" and
          re.search(rf"\bclass {re.escape(name)}: SealedNotificationService\b", service))
    check("Extension: point", extension["NSExtensionPointIdentifier"] == "com.apple.usernotifications.service")
    widget = plist(root / "Widget/Info.plist")["NSExtension"]
    check("Widget: point", widget == {"NSExtensionPointIdentifier": "com.apple.widgetkit-extension"})
    return wrong
