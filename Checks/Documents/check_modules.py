"""Checks which module may import which: no target reaches a target that it must not link.

Usage: check_modules.py
"""
import json, pathlib, subprocess, sys

# A backend that only writes another system's envelope links no receiver; an app links no sealer, and only its extension
# what fetches; the lower modules know neither keys nor ciphers.
FORBIDDEN = {
    "PushCompat": {"PushReceiver", "PushSealer", "PushKeys", "PushExtension"},
    "PushReceiver": {"PushSealer", "PushCompat", "PushExtension"},
    "PushExtension": {"PushSealer", "PushCompat"},
    "SealedPush": {"PushSealer", "PushCompat", "PushTesting", "PushFetching"},
    "SealedPushExtension": {"PushSealer", "PushCompat", "PushTesting"},
    # Foundation, which these bring, is five times as large as the tool.
    "sealpush": {
        "PushTesting", "PushExtension", "PushFetching", "UserNotifications", "PushHTTP2", "PushDelivery", "PushStandIn",
        "PushStore", "PushStorePostgres", "PushWorker", "CNGHTTP2", "CTLS", "CSQLite", "CPostgres",
    },
    # Who only seals needs no library for delivery, and none for stores.
    "PushSealer": {
        "PushReceiver", "PushCompat", "PushExtension", "PushHTTP2", "PushDelivery", "PushStore", "CNGHTTP2", "CTLS",
        "CSQLite", "CPostgres",
    },
    "PushDelivery": {"PushReceiver", "PushCompat", "PushExtension", "PushTesting", "CSQLite", "CPostgres"},
    # Nor does who has SQLite need PostgreSQL's.
    "PushStore": {
        "PushReceiver", "PushCompat", "PushExtension", "PushTesting", "PushHTTP2", "PushDelivery", "CTLS", "CPostgres",
    },
    "PushStorePostgres": {"PushReceiver", "PushCompat", "PushExtension", "PushTesting", "PushHTTP2", "PushDelivery"},
    "PushWorker": {"PushReceiver", "PushCompat", "PushExtension", "PushTesting", "PushStorePostgres", "CPostgres"},
    "PushHTTP2": {"PushCrypto", "PushKeys", "PushPayload", "PushEnvelope", "PushFiles"},
    "PushSimulation": {"PushTesting", "PushExtension", "UserNotifications"},
    "PushEnvelope": {"PushCrypto", "PushKeys"},
    "PushPayload": {"PushCrypto", "PushKeys"},
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
    print(f"{len(FORBIDDEN)} modules depend on none that they must not link")


if __name__ == "__main__":
    main()
