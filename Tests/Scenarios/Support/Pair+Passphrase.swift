import Testing

extension Pair {
  /// What opens the encrypted files of a pair.
  static let passphrase = "correct horse"

  /// A pair of whose private files a passphrase opens some: it is in the file `words`, and another in `wrong`.
  static func encrypted(_ names: String...) async throws -> Pair {
    let pair = try await Pair()
    try pair.tool.write("\(passphrase)\nand what nobody reads\n", to: "words")
    try pair.tool.write("wrong horse\n", to: "wrong")
    for name in names {
      try await pair.tool.succeed("keys passphrase --keys \(name).jwks --new-passphrase-file words")
    }
    return pair
  }
}

extension Tool {
  /// A file's text.
  func text(_ name: String) throws -> String {
    String(decoding: try contents(name), as: UTF8.self)
  }
}
