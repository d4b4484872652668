import Testing

/// The tool and the program `openssl`, in a shell, as an operator has them.
@Suite("Both ways with openssl enc", .serialized)
struct OpenSSLProgramTests {
  struct Way: CustomTestStringConvertible {
    let ours: String
    let theirs: String
    var testDescription: String { ours }
  }

  private static let ways = [
    Way(ours: "", theirs: "-pbkdf2"), Way(ours: "--derivation pbkdf2 --iterations 777", theirs: "-iter 777"),
    Way(ours: "--digest sha512 --iterations 20000", theirs: "-md sha512 -iter 20000"),
    Way(ours: "--digest sha1 --iterations 1", theirs: "-md sha1 -iter 1"),
    Way(ours: "--digest md5", theirs: "-md md5 -pbkdf2"), Way(ours: "--derivation bytes-to-key", theirs: ""),
    Way(ours: "--derivation bytes-to-key --digest md5", theirs: "-md md5"),
    Way(ours: "--derivation bytes-to-key --digest sha1", theirs: "-md sha1"),
    Way(ours: "--derivation bytes-to-key --digest sha512", theirs: "-md sha512"),
  ]

  private static let plaintexts = ["", "0123456789abcdef", String(repeating: "long ", count: 60) + "\n"]

  private static let ours = "--format openssl-salted --unauthenticated --secret password"
  private static let theirs = "openssl enc -aes-256-cbc -pass file:password"

  private func tool(_ plaintext: String) throws -> Tool {
    let tool = try Tool()
    try tool.write("correct horse battery staple\n", to: "password")
    try tool.write(plaintext, to: "plain")
    return tool
  }

  @Test(arguments: ways) func itOpensOurs(way: Way) async throws {
    for plaintext in Self.plaintexts {
      let run = try await tool(plaintext).shell(
        """
        set -eu
        sealpush seal \(Self.ours) \(way.ours) --in plain --out sealed.json
        sed 's/.*"ENCRYPTED_DATA":"\\([^"]*\\)".*/\\1/' sealed.json | tr -d '\\n' > text
        \(Self.theirs) \(way.theirs) -d -a -A -in text 2> warnings
        """)
      #expect(run.status == 0 && run.text == plaintext, "\(run.errors)")
    }
  }

  /// In one line, and in lines of 64 characters, as JSON has them.
  @Test(arguments: ways, ["-A", ""]) func weOpenIts(way: Way, lines: String) async throws {
    for plaintext in Self.plaintexts {
      let run = try await tool(plaintext).shell(
        """
        set -eu
        \(Self.theirs) \(way.theirs) -a \(lines) -in plain -out text 2> warnings
        printf '{"aps":{"mutable-content":1},"data":"' > sealed.json
        sed 's/$/\\\\n/' text | tr -d '\\n' >> sealed.json
        printf '"}' >> sealed.json
        sealpush open \(Self.ours) \(way.ours) --member data --in sealed.json
        """)
      #expect(run.status == 0 && run.text == plaintext, "\(run.errors)")
    }
  }
}
