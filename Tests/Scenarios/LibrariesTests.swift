import Foundation
import Testing

/// The system's libraries and its generator, when they are not as they should be.
@Suite("What the tool stands on", .serialized)
struct LibrariesTests {
  /// Configurations of OpenSSL: without its own algorithms, and with those alone of a module that is not there.
  private static let configurations = [
    "openssl_conf=a\n[a]\nproviders=b\n[b]\nbase=c\n[c]\nactivate=1\n",
    "openssl_conf=a\n[a]\nalg_section=b\n[b]\ndefault_properties=fips=yes\n",
  ]

  @Test(arguments: configurations) func anOpenSSLWithoutAlgorithms(configuration: String) async throws {
    let pair = try await Pair(suite: "p256-aesgcm")
    let tool = pair.tool
    try tool.write(try await pair.sealed(), to: "sealed.json")
    try tool.write(configuration, to: "openssl.cnf")
    let environment = ["OPENSSL_CONF": tool.path("openssl.cnf")]
    let seal = try await tool.run("\(pair.seal) --in payload.json", environment: environment)
    seal.expectRefusal("seal", 1, "the system's OpenSSL does not support AES-256-GCM")
    let open = try await tool.run("\(pair.open) --now \(start) --in sealed.json", environment: environment)
    open.expectRefusal("open", 65, "unsupported-suite")
    #expect(open.hint?.contains("OpenSSL") == true)
    // What needs none of them: keys, whatever they are written as, and the other suite.
    for line in [
      "keys export --keys device.jwks --format pem --private --out key.pem",
      "keys import --keys new.jwks --role device --suite p256-aesgcm --format pem --in key.pem",
      "keys export --keys new.jwks --format pem", "keys new --role device --out x25519.jwks",
      "keys export --keys x25519.jwks --out x25519.pub.jwks",
      "keys export --keys x25519.jwks --format pem --private --out x25519.pem",
      "keys import --keys other.jwks --role device --format pem --in x25519.pem",
      "seal --to x25519.pub.jwks --from sender.jwks \(Pair.topic) --in payload.json",
    ] {
      let run = try await tool.run(line, environment: environment)
      #expect(run.status == 0, "\(line): \(run.errors)")
    }
    #expect(try tool.secret(of: "new.jwks") == tool.secret(of: "device.jwks"))
    #expect(try tool.secret(of: "other.jwks") == tool.secret(of: "x25519.jwks"))
  }

  @Test func theSuites() async throws {
    let run = try await Tool().succeed("doctor")
    let rows = run.lines.drop { !$0.hasPrefix("SUITE ") }.dropFirst()
    for suite in ["x25519-chachapoly", "p256-aesgcm"] {
      let row = try #require(rows.first { $0.hasPrefix(suite + " ") })
      let words = row.split(separator: " ").dropFirst()
      #expect(words == ["yes", "no", "-"], "\(row)")
    }
  }

  @Test(arguments: [
    "error=EINTR:when=1..5", "error=EAGAIN:when=1..5", "error=ENOSYS", "error=ENOSYS:when=3+",
  ]) func theGenerator(fault: String) async throws {
    let pair = try await Pair()
    let sealing = Strace(tool: pair.tool, line: "\(pair.seal) --now \(start) --in payload.json")
    var envelopes: Set<String> = []
    for _ in 0..<2 {
      guard let run = try await sealing.run("trace=getrandom", "inject=getrandom:\(fault)") else { return }
      try #require(run.status == 0, "\(run.errors)")
      let calls = try String(contentsOfFile: "\(pair.tool.scratch)/calls", encoding: .utf8)
      #expect(calls.contains("(INJECTED)"))
      envelopes.insert(run.text.envelopeText)
      try await pair.tool.succeed("\(pair.open) --now \(start)", input: .bytes(run.output))
    }
    #expect(envelopes.count == 2)
  }

  /// Foundation is larger than all the rest, and what the tool would read with it, it reads itself.
  @Test func theToolLoadsNoFoundation() async throws {
    let libraries = try await Tool().execute(["ldd", Tool.binary]).text
    #expect(libraries.contains("libsodium.so") && libraries.contains("libcrypto.so"))
    #expect(!libraries.contains("Foundation"))
  }

  @Test func aDamagedLibrary() async throws {
    let tool = try Tool()
    let libraries = try await tool.execute(["ldd", Tool.binary]).text.split(separator: "\n")
      .compactMap { $0.split(separator: " ").first?.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("libsodium.") || $0.hasPrefix("libcrypto.") }
    #expect(libraries.count == 2)
    for library in libraries {
      try FileManager.default.createDirectory(atPath: tool.path(library), withIntermediateDirectories: false)
      try tool.write("", to: "\(library)/\(library)")
      let here = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ":\($0)" } ?? ""
      let run = try await tool.run("--help", environment: ["LD_LIBRARY_PATH": tool.path(library) + here])
      #expect(run.status == 127 && run.output.isEmpty)
      #expect(run.errors.contains(library) && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
  }
}
