import PushCore
import PushSealer
import Testing

/// A payload beside what Apple's page says of it, and what lint says.
struct ApplePayload: Sendable, CustomTestStringConvertible {
  enum Verdict: Sendable {
    /// The page has it so, and lint finds nothing but what it leaks.
    case allowed
    /// The page says that it must be otherwise, and lint finds this.
    case wrong(String)
    /// The page says that it has no effect, and lint finds this.
    case ignored(String)
    /// The page says nothing of it. This package has a rule of its own, by which lint finds this.
    case unsaid(String)
  }

  /// What the page says, or does not say.
  let says: String
  let json: String
  let verdict: Verdict
  /// The paths of what those on the way can read, as it is not sealed.
  let leaks: String
  var testDescription: String { "\(says): \(json)" }

  init(_ says: String, _ json: String, _ verdict: Verdict, leaks: String = "") {
    self.says = says
    self.json = json
    self.verdict = verdict
    self.leaks = leaks
  }

  /// A payload of which only `aps` is given.
  static func aps(_ says: String, _ json: String, _ verdict: Verdict, leaks: String = "") -> ApplePayload {
    ApplePayload(says, #"{"aps":{\#(json)}}"#, verdict, leaks: leaks)
  }

  /// A payload of which only the alert's members are given, and with them the title and the body.
  static func alert(_ says: String, _ json: String, _ verdict: Verdict, leaks: String = "") -> ApplePayload {
    ApplePayload(says, #"{"aps":{"alert":{\#(json)}}}"#, verdict, leaks: leaks)
  }

  /// A payload of which only the sound's members are given.
  static func sound(_ says: String, _ json: String, _ verdict: Verdict) -> ApplePayload {
    ApplePayload(says, #"{"aps":{"sound":{\#(json)}}}"#, verdict, leaks: "aps.sound")
  }

  /// Compares what lint finds: what is wrong, and what leaks.
  func check() throws {
    let bytes = Array(json.utf8)
    let findings = Lint(try JSONObject(parsing: bytes.span)).findings
    let leaking = findings.filter { Lint.Visible(rawValue: $0.code) != nil && $0.code != "extension-not-run" }
    let sealed = leaking.first
    #expect(sealed?.code == "not-sealed")
    #expect(leaking.dropFirst().map(\.key).joined(separator: " ") == leaks)
    #expect(findings.filter { !leaking.contains($0) }.map(\.line) == expected)
  }

  private var expected: [String] {
    switch verdict {
    case .allowed: []
    case .wrong(let line), .ignored(let line), .unsaid(let line): [line]
    }
  }
}
