"""Apple's systems as the compiler sees them: the standard library, and stubs of the frameworks that the package uses."""

import hashlib
import pathlib
import subprocess

import standard_library

HERE = pathlib.Path(__file__).resolve().parent

# In order of their dependencies. The other modules of include/module.modulemap are imported as they are.
OVERLAYS = ["Darwin", "ObjectiveC", "Dispatch", "Foundation", "CryptoKit", "os", "Intents"]

# Modules that only a phone has.
PHONE_OVERLAYS = ["UIKit", "SwiftUI", "ActivityKit", "WidgetKit"]


class System:
    """A version of one of Apple's systems, with everything that a compilation for it needs."""

    def __init__(self, platform, version, cache):
        self.name = f"{platform.label} {version}"
        self.platform, self.version = platform, version
        self.cache = cache
        self.resources = standard_library.build(platform, cache, HERE / "SDK")
        self.arguments = [
            "swiftc", "-frontend", "-target", platform.target(version), "-sdk", HERE / "SDK",
            "-resource-dir", self.resources, "-I", HERE / "SDK/include", "-I", self.resources / "shims",
            "-module-cache-path", self.resources / "clang-modules", "-parse-as-library", "-diagnostic-style", "llvm",
        ]  # fmt: skip
        # The macros of Testing are a program of the toolchain, the same for each system.
        plugins = standard_library.toolchain() / "lib/swift/host/plugins"
        self.arguments += ["-plugin-path", plugins, "-I", self.overlays(platform)]

    def overlays(self, platform):
        """The folder of the compiled overlays, which are compiled for the lowest version."""
        key = hashlib.sha256(b"".join(path.read_bytes() for path in sorted((HERE / "SDK").rglob("*.*"))))
        folder = self.resources / "overlays" / platform.name / key.hexdigest()[:16]
        if not (folder / "complete").exists():
            folder.mkdir(parents=True, exist_ok=True)
            oldest = [platform.target(platform.minimum) if "-apple-" in str(a) else a for a in self.arguments]
            for name in OVERLAYS + (PHONE_OVERLAYS if platform is standard_library.IOS else []):
                self.run(
                    [
                        *oldest, "-emit-module", "-module-name", name, "-I", folder,
                        "-experimental-skip-all-function-bodies", "-enable-experimental-feature", "Lifetimes",
                        "-o", folder / f"{name}.swiftmodule", *sorted((HERE / "SDK/overlays").glob(f"{name}*.swift")),
                    ]
                )  # fmt: skip
            (folder / "complete").touch()
        return folder

    def run(self, command):
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            raise SystemExit(f"a stub does not compile\n{result.stderr}")

    def compile(self, name, sources, flags, modules, result=None):
        """Checks a module with its bodies, leaves it in `result` if it has no errors, and returns its diagnostics.

        It imports the modules in `modules`, and by default leaves its own there too.
        """
        command = [
            *self.arguments, *flags, "-I", modules, "-emit-module", "-module-name", name,
            "-o", (result or modules) / f"{name}.swiftmodule", *sources,
        ]  # fmt: skip
        run = subprocess.run(command, capture_output=True, text=True)
        lines = [line for line in run.stderr.splitlines() if " error: " in line or " warning: " in line]
        if run.returncode != 0 and not lines:
            return run.stderr.splitlines() or ["the compiler failed"]
        return lines
