"""Checks which module may import which: no target reaches a target that it must not link.

Usage: check_modules.py
"""
import json, pathlib, re, subprocess, sys

# A backend that only writes another system's envelope links no receiver. An app links no sealer, and only its extension
# links the fetcher. The lower modules know neither keys nor ciphers.
FORBIDDEN = {
    "PushCompat": {"PushReceiver", "PushSealer", "PushKeys", "SealedPush"},
    "PushReceiver": {"PushSealer", "PushCompat", "SealedPush"},
    "SealedPush": {"PushSealer", "PushCompat", "PushTesting", "SealedPushExtension"},
    "SealedPushExtension": {"PushSealer", "PushCompat", "PushTesting"},
    # These bring Foundation, which is five times as large as the tool.
    "sealpush": {
        "PushTesting", "SealedPush", "SealedPushExtension", "UserNotifications", "PushNetwork", "PushDelivery",
        "PushStandIn", "PushStore", "PushStorePostgres", "PushWorker", "CNGHTTP2", "CTLS", "CSQLite", "CPostgres",
    },
    # A backend that only seals needs no library for delivery or stores.
    "PushSealer": {
        "PushReceiver", "PushCompat", "SealedPush", "PushNetwork", "PushDelivery", "PushStore", "CNGHTTP2", "CTLS",
        "CSQLite", "CPostgres",
    },
    # The client sends sealed pushes, and knows neither keys nor sealers; of files it reads Apple's key alone.
    "PushDelivery": {
        "PushSealer", "PushKeys", "PushEnrolment", "PushAttachments", "PushReceiver", "PushCompat",
        "SealedPush", "PushTesting", "CSQLite", "CPostgres",
    },
    # A backend with SQLite does not need PostgreSQL's library.
    "PushStore": {
        "PushSealer", "PushReceiver", "PushCompat", "SealedPush", "PushTesting", "PushNetwork", "PushDelivery", "CTLS",
        "CPostgres",
    },
    "PushStorePostgres": {
        "PushSealer", "PushReceiver", "PushCompat", "SealedPush", "PushTesting", "PushNetwork", "PushDelivery",
    },
    "PushWorker": {"PushReceiver", "PushCompat", "SealedPush", "PushTesting", "PushStorePostgres", "CPostgres"},
    "PushNetwork": {"PushCrypto", "PushKeys", "PushFiles"},
    "PushSimulation": {"PushTesting", "SealedPush", "UserNotifications"},
    "PushStandIn": {"PushSealer", "PushCompat", "PushTesting", "PushDelivery", "PushStore"},
    "PushKeys": {"PushEnrolment"},
    "PushCore": {"PushCrypto", "PushKeys", "PushFiles"},
}


def closure(name, dependencies):
    """The targets that a target links besides itself."""
    found, pending = set(), [name]
    while pending:
        for other in dependencies.get(pending.pop(), ()):
            if other not in found:
                found.add(other)
                pending.append(other)
    return found


IMPORT = re.compile(r"^\s*(?:@\w+ )*(?:\w+ )?import (?:(?:enum|protocol|struct) )?(\w+)", re.M)


def undeclared(root, package, dependencies):
    """Imports of modules on which a target does not depend: they build only if something else has built the module."""
    for target in package["targets"]:
        if (folder := target.get("path") or "").startswith("Sources/"):
            for path in sorted((root / folder).rglob("*.swift")):
                for name in IMPORT.findall(path.read_text()):
                    if name in dependencies and name not in dependencies[target["name"]]:
                        yield f"{path.relative_to(root)} imports {name}, on which {target['name']} does not depend"


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    package = json.loads(subprocess.check_output(["swift", "package", "--package-path", root, "dump-package"]))
    dependencies = {
        target["name"]: [name for item in target["dependencies"] for name, _ in item.values()]
        for target in package["targets"]
    }
    for name, forbidden in FORBIDDEN.items():
        if name not in dependencies:
            sys.exit(f"the package has no target {name}")
        if wrong := closure(name, dependencies) & forbidden:
            sys.exit(f"{name} must not depend on {', '.join(sorted(wrong))}, directly or through others")
    if wrong := list(undeclared(root, package, dependencies)):
        sys.exit("\n".join(wrong))
    print(f"{len(FORBIDDEN)} modules depend on none that they must not link")


if __name__ == "__main__":
    main()
