import PushCrypto
import PushCore
import PushKeys

extension Command {
  static let doctor = Command(
    name: ["doctor"], summary: "show which versions and suites this system's libraries have",
    details: """
      Prints the versions of the libraries in use, and which suites they have. The last column names what a
      suite lacks, and the lines below say where to get it. The exit status is 0 even if something is missing.
      To check key files, use keys doctor.

      Batches, such as those of seal --lines, are computed eight messages at a time if libcrypto_mb is
      installed and the processor has AVX-512 IFMA. The table EIGHT AT A TIME shows for each algorithm the
      library that does so, or why none does. SEALEDPUSH_LANES=off in the environment turns it off.

      With --json it is one object: {"version","libraries":[{"name","version"}],"suites":[{"suite",
      "available","quantumResistant","missing":[…],"advice"}],"lanes":[{"algorithm","used","state"}]}, where
      advice is null for a suite that is available.
      """,
    examples: ["sealpush doctor", "sealpush doctor --json"],
    options: [.json]
  ) { (arguments, console) throws(ToolError) in
    try console.print(arguments.has(.json) ? json.jsonLine : text)
  }

  private static func missing(for suite: Suite) -> [String] {
    suite.isAvailable ? [] : SystemLibraries.missingForXWing
  }

  private static var json: JSONObject {
    [
      "version": .string(Version.text),
      "libraries": .array(
        SystemLibraries.versions.map {
          .object(["name": .string($0.name), "version": .string($0.version)])
        }),
      "suites": .array(
        Suite.allCases.map { suite in
          .object([
            "suite": .string(suite.name), "available": .boolean(suite.isAvailable),
            "quantumResistant": .boolean(suite.isQuantumResistant),
            "missing": .array(missing(for: suite).map { .string($0) }),
            "advice": suite.isAvailable ? .null : .string(suite.unavailability),
          ])
        }),
      "lanes": .array(
        SystemLibraries.lanes.map { algorithm, state in
          .object([
            "algorithm": .string(algorithm), "used": .boolean(state.isInUse),
            "state": .string(state.description),
          ])
        }),
    ]
  }

  /// What batches compute eight at a time; empty where nothing can be.
  private static var lanes: String {
    let rows = SystemLibraries.lanes.map { Help.padded($0.algorithm, to: 20) + $0.state.description + "\n" }
    return rows.isEmpty ? "" : "\nEIGHT AT A TIME     BY\n" + rows.joined()
  }

  private static var text: String {
    let libraries = [("sealpush", Version.text)] + SystemLibraries.versions
    let versions = libraries.map { Help.padded($0.name, to: 12) + $0.version + "\n" }.joined()
    let rows = Suite.allCases.map { suite in
      Help.padded(suite.name, to: 20) + Help.padded(suite.isAvailable ? "yes" : "no", to: 13)
        + Help.padded(suite.isQuantumResistant ? "yes" : "no", to: 21)
        + (missing(for: suite).isEmpty ? "-" : missing(for: suite).joined(separator: ", ")) + "\n"
    }
    let advice = Suite.allCases.filter { !$0.isAvailable }.map { "\n\($0.unavailability)\n" }
    return versions + lanes + "\nSUITE               AVAILABLE    QUANTUM-RESISTANT    MISSING\n"
      + rows.joined() + advice.joined()
  }
}
