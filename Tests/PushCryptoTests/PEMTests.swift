import PushCrypto
import Testing

/// Keys in PEM; openssl(1) wrote the examples, except for those from RFC 8410.
struct PEMTests {
  struct Example: Sendable {
    let kind: any KeyKind
    let secret, point: String
    /// The contents in base64, one line in each element.
    let privateKey, publicKey: [String]

    var privateText: String { PEMTests.block("PRIVATE KEY", privateKey) }
    var publicText: String { PEMTests.block("PUBLIC KEY", publicKey) }
  }

  static let examples = [
    Example(
      kind: DHKEM.p256, secret: "37f793404e1e1f4c56375bef25e6db3fae9278ea7f74d5a5e4cbb32f1bf478e3",
      point: "0416015ffcc5a7ce1d89546259b9168ded74158fe2de5e8e7abc0b832286c3c9bc823c7b57574d5457956422"
        + "9f2c8206e249e2172d4903a344de67ff2c835cfbc8",
      privateKey: [
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgN/eTQE4eH0xWN1vv",
        "JebbP66SeOp/dNWl5MuzLxv0eOOhRANCAAQWAV/8xafOHYlUYlm5Fo3tdBWP4t5e",
        "jnq8C4MihsPJvII8e1dXTVRXlWQinyyCBuJJ4hctSQOjRN5n/yyDXPvI",
      ],
      publicKey: [
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFgFf/MWnzh2JVGJZuRaN7XQVj+Le",
        "Xo56vAuDIobDybyCPHtXV01UV5VkIp8sggbiSeIXLUkDo0TeZ/8sg1z7yA==",
      ]),
    Example(
      kind: DHKEM.x25519, secret: "180dfbcd61f3f5cf046a58a5724df0a204b0f3a3f2dd9a3b3d2ea9f32d23d84d",
      point: "dc8d611abc60f1845b36f659a16baacaef34d39daa53fcd6356f2705c8362d68",
      privateKey: ["MC4CAQAwBQYDK2VuBCIEIBgN+81h8/XPBGpYpXJN8KIEsPOj8t2aOz0uqfMtI9hN"],
      publicKey: ["MCowBQYDK2VuAyEA3I1hGrxg8YRbNvZZoWuqyu80052qU/zWNW8nBcg2LWg="]),
    Example(
      kind: Ed25519Keys(), secret: "d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842",
      point: "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1",
      privateKey: ["MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC"],
      publicKey: ["MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="]),
  ]

  @Test(arguments: examples) func `another program's private key is read and written`(example: Example)
    throws
  {
    let (secret, point) = (bytes(example.secret), bytes(example.point))
    let key = try PEM.PrivateKey(Array(example.privateText.utf8).span)
    #expect(key.kind.pkcs8 == example.kind.pkcs8)
    #expect(exposed(key.secret) == secret)
    let text = PEM.privateKey(secret.span, publicKey: point.span, kind: example.kind)
    #expect(text == Array(example.privateText.utf8))
  }

  @Test(arguments: examples) func `a public key is written as another program does`(example: Example) {
    let text = PEM.publicKey(bytes(example.point).span, kind: example.kind)
    #expect(text == Array(example.publicText.utf8))
  }

  @Test func `P-256 without its public key, and other line ends`() throws {
    let text = Self.block(
      "PRIVATE KEY",
      [
        "MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCA395NATh4fTFY3W+8l",
        "5ts/rpJ46n901aXky7MvG/R44w==",
      ])
    let endings = ["\r\n", "\r"].map { text.split(separator: "\n").joined(separator: $0) + $0 }
    for text in [text, "words\n" + text, text.replacing("\n", with: "\r\r")] + endings {
      let key = try PEM.PrivateKey(Array(text.utf8).span)
      #expect(exposed(key.secret) == bytes(Self.examples[0].secret))
    }
  }

  /// The public key is the base point, which belongs to another private key.
  @Test func `another's public key is noticed`() {
    let text = Self.block(
      "PRIVATE KEY",
      [
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgN/eTQE4eH0xWN1vv",
        "JebbP66SeOp/dNWl5MuzLxv0eOOhRANCAARrF9Hy4SxCR/i85uVjpEDydwN9gS3r",
        "M6D0oTlF2JjClk/jQuL+Gn+bjufrSnwPnhYrzjNXazFezsu2QGg3v1H1",
      ])
    #expect(error(of: text) == .mismatch)
  }

  @Test func `what is no such key is refused`() {
    let whole = Self.examples[0].privateText
    let rsa = Self.block("PRIVATE KEY", ["MBUCAQAwDQYJKoZIhvcNAQEBBQAEAQA="])
    let cases: [(String, PEMError)] = [
      ("", .malformed), ("words", .malformed), (Self.block("PRIVATE KEY", ["MAAA"]), .malformed),
      (Self.block("PRIVATE KEY", ["M*AA"]), .malformed), (Self.examples[0].publicText, .notPrivate),
      (Self.block("ENCRYPTED PRIVATE KEY", ["MAAA"]), .encrypted),
      (Self.block("EC PRIVATE KEY", ["Proc-Type: 4,ENCRYPTED", "", "MAAA"]), .encrypted),
      (Self.block("EC PRIVATE KEY", ["MAAA"]), .notPKCS8), (whole + whole, .notOneKey),
    ]
    for (text, expected) in cases { #expect(error(of: text) == expected, "\(text)") }
    #expect(error(of: rsa) != nil)
  }

  @Test(arguments: examples) func `a text cut anywhere is refused`(example: Example) {
    let text = example.privateText.dropLast()
    for count in 0..<text.count { #expect(error(of: String(text.prefix(count))) != nil) }
  }

  /// After a change of any byte, the text is refused, or read as a key of 32 bytes.
  @Test(arguments: examples) func `altered bytes are read or refused`(example: Example) {
    var text = Array(example.privateText.utf8)
    for index in text.indices {
      let old = text[index]
      for new in [UInt8(ascii: "A"), UInt8(ascii: "/"), UInt8(ascii: "\n"), 0xff] {
        text[index] = new
        if let key = try? PEM.PrivateKey(text.span) { #expect(key.secret.count == 32) }
      }
      text[index] = old
    }
  }

  private func error(of text: String) -> PEMError? {
    do throws(PEMError) {
      _ = try PEM.PrivateKey(Array(text.utf8).span)
      return nil
    } catch {
      return error
    }
  }

  private static func block(_ name: String, _ lines: [String]) -> String {
    "-----BEGIN \(name)-----\n" + lines.map { $0 + "\n" }.joined() + "-----END \(name)-----\n"
  }
}

extension PEM.PrivateKey {
  /// Reads a key of any kind.
  init(_ text: Span<UInt8>) throws(PEMError) {
    try self.init(text, among: [DHKEM.x25519, DHKEM.p256, Ed25519Keys()])
  }
}
