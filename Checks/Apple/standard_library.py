"""The Swift standard library for Apple's systems, compiled from the textual interfaces of the toolchain for Linux.

Those interfaces carry the availability that Apple's systems have. Only declarations are compiled: nothing can be linked.
"""

import hashlib
import pathlib
import re
import shutil
import subprocess

MODULES = [
    "Swift", "SwiftOnoneSupport", "_Concurrency", "_Builtin_float", "_StringProcessing", "Synchronization", "Testing",
]

# Declarations that the standard library has only where there is Objective-C.
OBJECTIVE_C = """
@frozen @unsafe public struct AutoreleasingUnsafeMutablePointer<Pointee>: Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  public init(_ _rawValue: Builtin.RawPointer)
  public var pointee: Pointee { get nonmutating set }
}
public func _bridgeAnyObjectToAny(_ possiblyNullObject: Swift.AnyObject?) -> Any
public func _getErrorEmbeddedNSError<T>(_ x: T) -> Swift.AnyObject? where T : Swift.Error
public func _bridgeErrorToNSError(_ error: __owned any Swift.Error) -> Swift.AnyObject
"""

# Functions that the compiler calls if a method with a completion handler is used or written as an asynchronous one.
CONCURRENCY = """
public func _resumeUnsafeContinuation<T>(
  _ continuation: _Concurrency.UnsafeContinuation<T, Swift.Never>, _ value: __owned T)
public func _resumeUnsafeThrowingContinuation<T>(
  _ continuation: _Concurrency.UnsafeContinuation<T, any Swift.Error>, _ value: __owned T)
public func _resumeUnsafeThrowingContinuationWithError<T>(
  _ continuation: _Concurrency.UnsafeContinuation<T, any Swift.Error>, _ error: __owned any Swift.Error)
public func _createCheckedContinuation<T>(
  _ continuation: __owned _Concurrency.UnsafeContinuation<T, Swift.Never>
) -> _Concurrency.CheckedContinuation<T, Swift.Never>
public func _createCheckedThrowingContinuation<T>(
  _ continuation: __owned _Concurrency.UnsafeContinuation<T, any Swift.Error>
) -> _Concurrency.CheckedContinuation<T, any Swift.Error>
public func _resumeCheckedContinuation<T>(
  _ continuation: _Concurrency.CheckedContinuation<T, Swift.Never>, _ value: __owned T)
public func _resumeCheckedThrowingContinuation<T>(
  _ continuation: _Concurrency.CheckedContinuation<T, any Swift.Error>, _ value: __owned T)
public func _resumeCheckedThrowingContinuationWithError<T>(
  _ continuation: _Concurrency.CheckedContinuation<T, any Swift.Error>, _ error: __owned any Swift.Error)
public func _runTaskForBridgedAsyncMethod(
  @_inheritActorContext _ body: __owned @escaping @Sendable () async -> Swift.Void)
"""


class Platform:
    """One of Apple's systems.

    `label` is its name; `name` is SwiftPM's; `triple` is the triple's part, with the environment of a Mac that runs an iPad's
    apps; `folder` has its modules; `minimum` is the target for its standard library.
    """

    def __init__(self, label, name, triple, folder, minimum, environment=""):
        self.label, self.name, self.triple, self.folder, self.minimum = label, name, triple, folder, minimum
        self.environment = environment

    def target(self, version):
        return f"arm64-apple-{self.triple}{version}{self.environment}"

    @property
    def module(self):
        """The name of a module's file."""
        return f"arm64-apple-{self.triple}{self.environment}.swiftmodule"


IOS = Platform("iOS", "ios", "ios", "iphoneos", "17.0")
MACOS = Platform("macOS", "macos", "macos", "macosx", "14.0")
CATALYST = Platform("Catalyst", "maccatalyst", "ios", "maccatalyst", "17.0", "-macabi")
VISIONOS = Platform("visionOS", "visionos", "xros", "xros", "1.0")


def toolchain():
    """The toolchain's folder `usr`."""
    return pathlib.Path(shutil.which("swiftc")).resolve().parent.parent


def mended(name, text, platform):
    """An interface as it would be for `platform`."""
    lines = text.splitlines()
    flags = re.sub(r"-target \S+", f"-target {platform.target(platform.minimum)}", lines[2])
    for flag in ["-disable-objc-interop", "-library-level api", "-target-min-inlining-version min", "-static"]:
        flags = flags.replace(f" {flag}", "")
    text = "\n".join([*lines[:2], flags, *lines[3:]]) + "\n"
    # It needs a body, which Linux's interface does not have.
    text = re.sub(r"^ *@backDeployed.*\n", "", text, flags=re.MULTILINE)
    # arm64 has no 80-bit numbers.
    text = re.sub(r"^ *self = _stdlib_(remainder|squareRoot)l\(.*\)$", "Builtin.unreachable()", text, flags=re.MULTILINE)
    if name == "Swift":
        text += OBJECTIVE_C
    if name == "_Concurrency":
        text += CONCURRENCY
    if name == "Synchronization":
        text = text.replace("import Glibc\n", "")
    return text


def shims(resources):
    """The C declarations that the standard library uses, with those of Linux's locks."""
    if (resources / "shims").exists():
        return
    shutil.copytree(toolchain() / "lib/swift/shims", resources / "shims")
    header = resources / "shims/_SynchronizationShims.h"
    names = {"gettid": "void", "futex_lock": "__swift_uint32_t *", "futex_trylock": "__swift_uint32_t *"}
    names["futex_unlock"] = "__swift_uint32_t *"
    stubs = [f"__swift_uint32_t _swift_stdlib_{name}({parameter});" for name, parameter in names.items()]
    header.write_text('#include "SwiftStdint.h"\n' + "\n".join(stubs) + "\n")


def key():
    """A key of the cache, which changes with everything that the compiled modules depend on."""
    version = subprocess.run(["swiftc", "--version"], capture_output=True, check=True).stdout
    return hashlib.sha256(version + pathlib.Path(__file__).read_bytes()).hexdigest()[:16]


def build(platform, cache, sdk):
    """Compiles the modules that the cache lacks, and returns the folder for `-resource-dir`."""
    resources = cache / key()
    folder = resources / platform.folder
    folder.mkdir(parents=True, exist_ok=True)
    shims(resources)
    clang = resources / "clang"
    if not clang.exists():
        clang.symlink_to((toolchain() / "lib/swift/clang").resolve())
    for name in MODULES:
        module = folder / f"{name}.swiftmodule" / platform.module
        if not module.exists():
            print(f"compiling {name} for {platform.name}", flush=True)
            compile_interface(name, platform, resources, module, sdk)
    return resources


def compile_interface(name, platform, resources, module, sdk):
    module.parent.mkdir(exist_ok=True)
    source = toolchain() / f"lib/swift/linux/{name}.swiftmodule/x86_64-unknown-linux-gnu.swiftinterface"
    # If the interface were beside the module, the compiler would compile it again.
    interface = resources / "interfaces" / platform.name / f"{name}.swiftinterface"
    interface.parent.mkdir(parents=True, exist_ok=True)
    interface.write_text(mended(name, source.read_text(), platform))
    unfinished = module.with_suffix(".unfinished")
    command = [
        "swiftc", "-frontend", "-compile-module-from-interface", "-module-name", name,
        "-target", platform.target(platform.minimum), "-sdk", sdk, "-resource-dir", resources,
        "-I", resources / "shims", "-module-cache-path", resources / "clang-modules",
        # It is written for the newest systems, and may name what older ones lack; who imports it may not.
        "-experimental-skip-all-function-bodies", "-disable-availability-checking", "-o", unfinished, interface,
    ]  # fmt: skip
    if name in ["Swift", "SwiftOnoneSupport", "_Concurrency"]:
        command.append("-parse-stdlib")
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{name} does not compile for {platform.name}\n{result.stderr[:4000]}")
    unfinished.rename(module)
