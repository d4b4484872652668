"""tables.py PACKAGE: adds the made-up suite to a copy of the package, a line in each table, and says how many files that took."""
import pathlib, shutil, sys

package, here = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).parent

# What is added before which line: a case and a line of each table that names suites.
LINES = {
    "Sources/PushEnvelope/Suite.swift": [
        ("  /// What makes a suite, a line each.", "  /// Made up.\n  case madeUp = 0x7f\n\n"),
        ('    case .sharedChaChaPoly: ("shared', '    case .madeUp: ("made-up", 1120, nil)\n'),
    ],
    "Sources/PushCrypto/HPKE/HPKESuite.swift": [
        ("  /// How keys are encapsulated.",
         "  /// Made up.\n  package static let madeUp = HPKESuite(MadeUpKEM(), .chaCha20Poly1305)\n\n"),
    ],
    "Sources/PushKeys/KeyAlgorithm.swift": [
        ("  /// What makes an algorithm.", '  /// Made up.\n  case madeUp = "made-up"\n\n'),
        ("    case .shared: Definition(", '    case .madeUp: Definition(.madeUp, .madeUp, .okp(curve: "Made-Up"))\n'),
    ],
}

for path, additions in LINES.items():
    text = (package / path).read_text()
    for line, addition in additions:
        assert text.count(line) == 1, f"{path} has no one line {line!r}"
        text = text.replace(line, addition + line)
    (package / path).write_text(text)
for name in ("MadeUpKEM.swift", "MadeUpBackend.swift"):
    shutil.copy(here / name, package / "Sources/PushCrypto/HPKE" / name)
tests = package / "Tests/SeamTests"
tests.mkdir(parents=True)
shutil.copy(here / "SeamTests.swift", tests)
manifest = package / "Package.swift"
text = manifest.read_text()
end = text.index("let package = Package(")
manifest.write_text(text[:end] + 'targets = targets.filter { !$0.isTest }\n'
                    'targets.append(tests("SeamTests", everything))\n\n' + text[end:])
print(f"a suite: 2 new files, a line or two in each of {len(LINES)}")
