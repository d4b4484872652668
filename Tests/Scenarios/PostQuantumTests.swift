import Foundation
import PushCore
import PushKeys
import TestSupport
import Testing

/// What `keys report --json` writes.
private struct KeyCounts: Decodable, Equatable {
  struct Count: Decodable, Equatable {
    let suite: String
    let enrolled: Int
    let proven: Int
  }
  struct Required: Decodable, Equatable {
    let sealed: Int
    let refused: Int
  }
  struct Persons: Decodable, Equatable {
    let all: Int
    let some: Int
    let none: Int
  }

  let devices: Int
  let pending: Int
  let unreachable: Int
  let suites: [Count]
  let required: Required
  let persons: Persons

  subscript(suite: String) -> Count? { suites.first { $0.suite == suite } }
}

/// A line of `seal --lines`' output, for one device or for several.
private struct Answer: Decodable {
  struct Push: Decodable {
    let suite: String?
    let error: String?
  }

  let suite: String?
  let error: String?
  let pushes: [Push]?
}

private let xwing = "xwing-aesgcm"
private let x25519 = "x25519-chachapoly"

extension Pair {
  /// Lines to the device, to one that only has X25519, and to both.
  fileprivate func lines() async throws -> String {
    try await tool.succeed("keys new --role device --out old.jwks --now \(start)")
    try await tool.succeed("keys export --keys old.jwks --out old.pub.jwks")
    let sets = try ["device", "old"].map {
      try tool.text("\($0).pub.jwks").replacingOccurrences(of: "\n", with: "")
    }
    return (sets + ["[\(sets.joined(separator: ","))]"]).map { #"{"to":\#($0),"payload":\#(sample)}"# + "\n" }
      .joined()
  }
}

private func answers(_ run: Run) throws -> [Answer] {
  try run.lines.map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
}

@Suite("A suite that a quantum computer cannot open", .serialized, .needsMLKEM)
struct PostQuantumTests {
  /// A pair whose device has keys for X25519 and X-Wing.
  private func pair() async throws -> Pair {
    let pair = try await Pair()
    try await pair.tool.succeed(
      "keys add --keys device.jwks --suite \(xwing) --out device.pub.jwks --force --now \(start)")
    return pair
  }

  @Test func aDeviceWithThatSuiteAlone() async throws {
    let pair = try await Pair(suite: xwing)
    #expect(try await pair.tool.keys("device.jwks").map(\.alg) == [xwing])
    let sealed = try await pair.sealed(at: start, "--post-quantum required")
    let opened = try await pair.tool.run("\(pair.open) --now \(start)", input: .bytes(sealed))
    #expect(opened.text == sample && opened.errors == "sealpush: opened with \(xwing)\n")
    let simulated = try await pair.tool.succeed("\(pair.simulate) --now \(start)", input: .bytes(sealed))
    #expect(simulated.lines.contains("suite      \(xwing)"))
  }

  @Test func aKeyIsAdded() async throws {
    let pair = try await pair()
    let tool = pair.tool
    let keys = try await tool.keys("device.jwks")
    #expect(keys.map(\.suite) == [x25519, xwing] && keys.allSatisfy { $0.status == "active" })
    #expect(try tool.publicKeys("device.pub.jwks") == keys.map(\.kid))
    try await tool.refuse("keys add --keys device.jwks --suite \(xwing)", 65, "there is already a key")
  }

  @Test func itIsPreferred() async throws {
    let pair = try await pair()
    for (options, suite) in [("", xwing), ("--suite \(x25519)", x25519), ("--post-quantum required", xwing)] {
      let sealed = try await pair.sealed(at: start, options)
      let inspected = try await pair.tool.run("inspect", input: .bytes(sealed)).lines
      #expect(inspected.contains("suite               \(suite)"))
      let answer = suite == xwing ? "yes: messages recorded today" : "no: a quantum computer"
      #expect(inspected.contains { $0.hasPrefix("quantum-resistant   \(answer)") })
    }
    let line = "\(pair.seal) --suite \(x25519) --post-quantum required --in payload.json"
    try await pair.tool.refuse(line, 65, "a quantum computer could open")
  }

  @Test func eachLineSaysItsSuite() async throws {
    let pair = try await pair()
    let lines = try await pair.lines()
    let seal = "seal --lines --from sender.jwks \(Pair.topic) --now \(start) --errors -"
    let preferred = try answers(try await pair.tool.run(seal, input: .text(lines)))
    #expect(preferred.map(\.suite) == [xwing, x25519, nil])
    #expect(preferred.last?.pushes?.map(\.suite) == [xwing, x25519])
    let run = try await pair.tool.run("\(seal) --post-quantum required", input: .text(lines))
    #expect(run.status == 65)
    let required = try answers(run)
    #expect(required.map(\.suite) == [xwing, nil, nil])
    #expect(required.map(\.error) == [nil, "not-quantum-resistant", nil])
    #expect(required.last?.pushes?.map(\.suite) == [xwing, nil])
    #expect(required.last?.pushes?.map(\.error) == [nil, "not-quantum-resistant"])
  }

  @Test func keysOfOtherPrograms() async throws {
    let pair = try await Pair(suite: xwing)
    let tool = pair.tool
    let list = try await tool.keys("device.jwks")
    for format in ["jwk", "raw"] {
      try await tool.succeed(
        "keys export --keys device.jwks --format \(format) --private --out key.\(format)")
      let options = "--role device --format \(format) --in key.\(format) --suite \(xwing)"
      try await tool.succeed("keys import --keys \(format).jwks \(options) --now \(start)")
      #expect(try await tool.keys("\(format).jwks") == list)
    }
    #expect(try tool.contents("key.raw").count == 32)
    let pem = try await tool.refuse("keys export --keys device.jwks --format pem", 65, "pem has no form")
    #expect(pem.hint == "export it with --format jwk")
    let other = "keys import --keys other.jwks --role device --format jwk --in key.jwk"
    #expect(
      try await tool.refuse(other, 65, "another kind").hint == "import it with --role device --suite \(xwing)"
    )
  }

  @Test func bothKindsAreEnrolledProvenAndReported() async throws {
    let pair = try await pair()
    let tool = pair.tool
    let accept =
      "keys accept --registrations registrations --registration ada-1 --person ada --new \(Tool.backend)"
    let enrol = "keys enrol --keys device.jwks \(Pair.topic) --token 00ff \(Tool.audience)"
    var answer = try await tool.succeed("\(enrol) --now \(start)")
    var counts: [KeyCounts] = []
    var suites: [String] = []
    for status in [75, 75, 0] as [Int32] {
      let run = try await tool.run(
        "\(accept) --request request.json --force --now \(start)", input: .bytes(answer.output))
      #expect(run.status == status, "\(run.errors)")
      counts.append(try await tool.succeed("keys report registrations --json").json())
      guard status == 75 else { break }
      suites.append(try #require(try await tool.succeed("inspect --in request.json").lines.dropFirst().first))
      answer = try await tool.succeed(
        "\(enrol) --answer request.json --senders sender.pub.jwks --now \(start)")
    }
    #expect(suites == [xwing, x25519].map { "suite               \($0)" })
    #expect(counts.map { $0[xwing]?.proven } == [0, 1, 1] && counts.map { $0[x25519]?.proven } == [0, 0, 1])
    #expect(counts.map(\.pending) == [1, 1, 0] && counts.map(\.unreachable) == [1, 0, 0])
    #expect(counts.last?.required == .init(sealed: 1, refused: 0))
    #expect(counts.last?.persons == .init(all: 1, some: 0, none: 0))
  }

  @Test func theDoctorFindsNothingMissing() async throws {
    let run = try await Tool().succeed("doctor")
    #expect(run.lines.contains { $0.hasPrefix("\(xwing)        yes          yes                  -") })
    #expect(!run.text.contains("needs ML-KEM"))
  }

  @Test func aConfigurationThatTakesItAway() async throws {
    let pair = try await pair()
    // OpenSSL's own algorithms alone are those of a module that is not there.
    try pair.tool.write(
      "openssl_conf=a\n[a]\nalg_section=b\n[b]\ndefault_properties=fips=yes\n", to: "openssl.cnf")
    let environment = ["OPENSSL_CONF": pair.tool.path("openssl.cnf")]
    let doctor = try await pair.tool.run("doctor", environment: environment)
    #expect(doctor.lines.contains { $0.hasPrefix(xwing) && $0.contains(" no ") && $0.contains("ML-KEM-768") })
    let seal = try await pair.tool.run(
      "\(pair.seal) --in payload.json --post-quantum required", environment: environment)
    seal.expectRefusal("seal", 1, "the suite xwing-aesgcm needs ML-KEM-768")
  }
}

@Suite("The same where the libraries do not have it", .serialized, .lacksMLKEM)
struct WithoutPostQuantumTests {
  private static let missing = "the suite xwing-aesgcm needs ML-KEM-768 and SHA-3"

  /// A pair whose device has keys for X25519 and X-Wing, which another system added.
  private func pair() async throws -> Pair {
    let pair = try await Pair()
    let keys = try XWingSample().added(
      to: try pair.tool.contents("device.jwks"), at: UnixTime(seconds: Int64(start))!)
    try pair.tool.write(keys, to: "device.jwks")
    try await pair.tool.succeed("keys export --keys device.jwks --out device.pub.jwks --force")
    return pair
  }

  @Test func oneSentenceSaysWhatIsMissing() async throws {
    let pair = try await pair()
    let tool = pair.tool
    let names = try tool.names
    for line in [
      "keys new --role device --suite \(xwing) --out new.jwks",
      "keys new --role device --suite \(xwing) --out new.jwks --passphrase",
      "keys add --keys old.jwks --suite \(xwing)",
      "keys import --keys new.jwks --role device --suite \(xwing) --format raw --in payload.json",
      "\(pair.seal) --in payload.json --suite \(xwing)",
    ] {
      let run = try await tool.refuse(line, 1, Self.missing)
      // Not after the name of a file, which may not be there.
      #expect(run.error?.hasPrefix(Self.missing) == true && run.errors.contains("OpenSSL 3.5"))
      #expect(run.hint == "sealpush doctor shows what this system's libraries have")
    }
    #expect(try tool.names == names)
    let pem = "keys import --keys new.jwks --role device --suite \(xwing) --format pem --in payload.json"
    try await tool.refuse(pem, 65, "OpenSSL's PKCS#8 for ML-KEM does not fit")
  }

  @Test func suchKeysAreListedAndExported() async throws {
    let tool = try await pair().tool
    let run = try await tool.succeed("keys list --keys device.jwks")
    #expect(run.text.contains("  \(xwing)  ") && run.errors.contains("open nothing: \(Self.missing)"))
    let json = try await tool.succeed("keys list --keys device.jwks --json").text
    #expect(json.contains(#""suite":"xwing-aesgcm","available":false"#))
    #expect(json.contains(#""suite":"x25519-chachapoly","available":true"#))
    #expect(try tool.publicKeys("device.pub.jwks").count == 2)
  }

  @Test func rotationKeepsThem() async throws {
    let tool = try await pair().tool
    let before = try await tool.keys("device.jwks")
    let line = "keys rotate --keys device.jwks --out device.pub.jwks --force --now \(start + 40 * day)"
    let young = try await tool.succeed("\(line) --if-older-than 41d")
    #expect(young.errors.contains("kept \(before[1].kid), which is 40 days old"))
    let run = try await tool.succeed("\(line) --quiet")
    #expect(
      run.errors == "sealpush: kept \(before[1].kid): this system's libraries do not have xwing-aesgcm;"
        + " rotate it where they do\n")
    let after = try await tool.keys("device.jwks")
    #expect(after.count == 3 && after.contains(before[1]))
    #expect(after.first { $0.kid == before[0].kid }?.status == "accepted")
    let bytes = try tool.contents("device.jwks")
    try await tool.refuse("keys revoke --keys device.jwks --kid=\(before[1].kid)", 1, Self.missing)
    #expect(try tool.contents("device.jwks") == bytes)
  }

  @Test func sealingTakesAnotherKeyAndSaysSo() async throws {
    let pair = try await pair()
    let run = try await pair.tool.succeed("\(pair.seal) --in payload.json --now \(start)")
    #expect(
      run.errors
        == "sealpush: sealing with x25519-chachapoly: device.pub.jwks has a key for xwing-aesgcm, which this"
        + " system's libraries lack\n")
    let opened = try await pair.tool.run("\(pair.open) --now \(start)", input: .bytes(run.output))
    #expect(opened.text == sample && opened.errors == "sealpush: opened with x25519-chachapoly\n")
    #expect(try await pair.tool.succeed("\(pair.seal) --in payload.json --quiet").errors == run.errors)
  }

  @Test func requiredNothingIsSealed() async throws {
    let pair = try await pair()
    let tool = pair.tool
    let required = "\(pair.seal) --in payload.json --post-quantum required"
    try await tool.refuse(required, 1, Self.missing)
    let lines = try await pair.lines()
    let run = try await tool.run(
      "seal --lines --from sender.jwks \(Pair.topic) --errors - --post-quantum required", input: .text(lines))
    #expect(run.status == 65)
    let found = try answers(run)
    #expect(found.map(\.error) == ["suite-unavailable", "not-quantum-resistant", nil])
    #expect(found.last?.pushes?.map(\.error) == ["suite-unavailable", "not-quantum-resistant"])
    let preferred = try answers(
      try await tool.run("seal --lines --from sender.jwks \(Pair.topic)", input: .text(lines)))
    #expect(preferred.map(\.suite) == [x25519, x25519, nil])
    try await tool.refuse(
      "\(pair.seal) --post-quantum always", 64, "--post-quantum must be preferred or required")
  }

  @Test func theirProofWaits() async throws {
    let tool = try await pair().tool
    let accept = "keys accept --registrations registrations --registration ada-1 --new \(Tool.backend)"
    let enrol = "keys enrol --keys device.jwks \(Pair.topic) --token 00ff \(Tool.audience)"
    let enrolment = try await tool.succeed("\(enrol) --now \(start)")
    let kid = try await tool.keys("device.jwks")[1].kid
    let run = try await tool.register(enrolment.output, accept: accept, enrol: enrol)
    #expect(run.text.contains(#""change":"registered""#) && run.text.contains(#""waiting":["\#(kid)"]"#))
    #expect(run.errors.contains("a key can be proven only when this system has its suite: \(Self.missing)"))
    let counts = try await tool.succeed("keys report registrations --json").json(KeyCounts.self)
    #expect(counts[xwing] == .init(suite: xwing, enrolled: 1, proven: 0))
    #expect(counts[x25519] == .init(suite: x25519, enrolled: 1, proven: 1))
    #expect(counts.required == .init(sealed: 0, refused: 1) && counts.pending == 0)
  }

  @Test func aDeviceThatHasNoOtherKeyWaits() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    let keys = try XWingSample().added(to: Array(#"{"keys":[]}"#.utf8), at: UnixTime(seconds: Int64(start))!)
    try tool.write(keys, to: "device.jwks")
    let enrolment = try await tool.succeed(
      "keys enrol --keys device.jwks \(Pair.topic) --token 00ff \(Tool.audience) --now \(start)")
    let run = try await tool.run(
      "keys accept --registrations registrations --registration ada-1 --new \(Tool.backend)",
      input: .bytes(enrolment.output))
    #expect(run.status == 75 && run.text.contains(#""change":"pending""#) && !run.text.contains("request"))
    #expect(run.errors.contains(Self.missing))
    try await tool.refuse("keys rotate --keys device.jwks", 1, "device.jwks: \(Self.missing)")
  }

  @Test func theDoctorNamesWhatIsMissing() async throws {
    let tool = try Tool()
    let run = try await tool.succeed("doctor")
    #expect(run.lines.contains("xwing-aesgcm        no           yes                  ML-KEM-768"))
    #expect(run.lines.last?.hasPrefix(Self.missing) == true && run.errors.isEmpty)
    let json = try await tool.succeed("doctor --json").text
    #expect(
      json.contains(
        #"{"suite":"xwing-aesgcm","available":false,"quantumResistant":true,"missing":["ML-KEM-768"]"#))
    #expect(
      json.contains(#"{"name":"OpenSSL","version":"3."#)
        && json.contains(#"{"name":"libsodium","version":"1."#))
  }
}

@Suite("A second suite in a device's file", .serialized)
struct AddedSuiteTests {
  private static let add = "keys add --keys device.jwks --suite p256-aesgcm"

  @Test func theNewKeyIsActiveBesideTheOther() async throws {
    let tool = try await Pair().tool
    let before = try await tool.keys("device.jwks")
    let run = try await tool.succeed("\(Self.add) --now \(start)")
    let keys = try await tool.keys("device.jwks")
    #expect(keys.map(\.suite) == suites && keys.allSatisfy { $0.status == "active" })
    #expect(keys.first == before.first && keys.last?.iat == start)
    try tool.write(run.output, to: "new.pub.jwks")
    #expect(try tool.publicKeys("new.pub.jwks") == keys.map(\.kid))
    let again = try await tool.refuse(Self.add, 65, "device.jwks: there is already a key of that suite")
    #expect(again.hint == "sealpush keys rotate replaces keys")
  }

  @Test func nothingChangesUnlessAllIsWell() async throws {
    let tool = try await Pair().tool
    let (keys, names) = (try tool.contents("device.jwks"), try tool.names)
    #expect(try await tool.succeed("\(Self.add) --dry-run").text.contains("p256-aesgcm"))
    try await tool.refuse("\(Self.add) --out device.pub.jwks", 73, "device.pub.jwks exists")
    try await tool.refuse("keys add --keys device.jwks", 64, "--suite NAME is missing")
    try await tool.refuse("keys add --keys device.jwks --suite p384", 64, "--suite must be")
    try await tool.refuse(
      "keys add --keys device.jwks --suite shared-chachapoly", 64, "shared keys are made with --role shared")
    try await tool.refuse(
      "keys add --keys sender.jwks --suite p256-aesgcm", 65,
      "sender.jwks has a sender's keys, but a device's are needed")
    try await tool.refuse(
      "keys add --keys device.pub.jwks --suite p256-aesgcm", 65, "a private key is needed")
    #expect(try tool.contents("device.jwks") == keys && tool.names == names)
  }
}

@Suite("The policy in the configuration file", .serialized)
struct PostQuantumPolicyTests {
  @Test func itHoldsEvenWhereNothingElseIsTaken() async throws {
    let pair = try await Pair()
    let seal = "\(pair.seal) --in payload.json --now \(start)"
    try pair.tool.write(#"{"post-quantum":"required"}"#, to: "sealpush.json")
    let run = try await pair.tool.refuse(seal, 65, "(sealpush.json: 'post-quantum')")
    #expect(run.error?.contains("a quantum computer could open") == true)
    try await pair.tool.succeed("\(seal) --post-quantum preferred")
    let line = try await pair.tool.run(
      "seal --lines --to device.pub.jwks --from sender.jwks \(Pair.topic) --errors -",
      input: .text(#"{"payload":\#(sample)}"# + "\n"))
    #expect(try answers(line).map(\.error) == ["not-quantum-resistant"])
    let shown = try await pair.tool.succeed("config").text
    #expect(shown.contains("--post-quantum  required  sealpush.json: post-quantum\n"))
    // A key that both sides share is no X25519 key.
    try await pair.tool.succeed("keys new --role shared --out shared.jwks")
    try await pair.tool.succeed("seal --to shared.jwks --anonymous \(Pair.topic) --in payload.json")
  }

  @Test func whatIsWrongWithIt() async throws {
    let pair = try await Pair()
    let seal = "\(pair.seal) --in payload.json"
    for text in [#"{"post-quantum":"always"}"#, #"{"post-quantum":true}"#, "{"] {
      try pair.tool.write(text, to: "sealpush.json")
      try await pair.tool.refuse(seal, 65, "sealpush.json")
      try await pair.tool.succeed("\(seal) --post-quantum preferred")
    }
  }
}
