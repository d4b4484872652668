"""tables.py PACKAGE [COPY]: adds the made-up suite to a copy of a package, a line in each table that names suites.

Without a copy it looks whether the tables are still as this program knows them.
"""
import pathlib, shutil, sys

package, here = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).parent

# What is added behind which line: a case and a line of each table that names suites.
LINES = {
    "Sources/PushEnvelope/Suite.swift": [
        ("  case sharedChaChaPoly = 0x10\n", "\n  /// Made up.\n  case madeUp = 0x7f\n"),
        ('    case .sharedChaChaPoly: ("shared-chachapoly", 64, nil, true)\n',
         '    case .madeUp: ("made-up", 1120, nil, false)\n'),
        ("    .xwingAESGCM, .x25519ChaChaPoly, .p256AESGCM, .sharedChaChaPoly,\n", "    .madeUp,\n"),
    ],
    "Sources/PushCrypto/HPKE/HPKESuite.swift": [
        ("  package static let p256AESGCM = HPKESuite(DHKEM.p256, .aes256GCM)\n",
         "\n  /// Made up.\n  package static let madeUp = HPKESuite(MadeUpKEM(), .chaCha20Poly1305)\n"),
    ],
    "Sources/PushKeys/KeyAlgorithm.swift": [
        ('  case shared = "shared-chachapoly"\n', '\n  /// Made up.\n  case madeUp = "made-up"\n'),
        ("    case .shared: Definition(shared: .sharedChaChaPoly)\n",
         '    case .madeUp: Definition(.madeUp, .madeUp, .okp(curve: "Made-Up"))\n'),
    ],
}
END = "let package = Package("


def changed(path):
    """A file with its additions."""
    text = (package / path).read_text()
    for line, addition in LINES[path]:
        assert text.count(line) == 1, f"{path} has no one line {line!r}"
        text = text.replace(line, line + addition)
    return text


texts = {path: changed(path) for path in LINES}
manifest = (package / "Package.swift").read_text()
assert manifest.count(END) == 1, f"Package.swift has no one line {END!r}"
print(f"a suite: 2 new files, a case and a line in each of {len(LINES)} tables")
if len(sys.argv) > 2:
    copy = pathlib.Path(sys.argv[2])
    for path, text in texts.items():
        (copy / path).write_text(text)
    for name in ("MadeUpKEM.swift", "MadeUpBackend.swift"):
        shutil.copy(here / name, copy / "Sources/PushCrypto/HPKE" / name)
    (copy / "Tests/SeamTests").mkdir(parents=True)
    shutil.copy(here / "SeamTests.swift", copy / "Tests/SeamTests")
    (copy / "Package.swift").write_text(manifest.replace(
        END, f'targets = targets.filter {{ !$0.isTest }}\ntargets.append(tests("SeamTests", everything))\n\n{END}'))
