extension KeyFile {
  /// What kinds of keys a file has that does not load, as far as its text shows; none of an identity's or a root's,
  /// which nothing can replace.
  package func apparentAlgorithms() throws(KeyFileError) -> [KeyAlgorithm] {
    let contents = try FileContents(at: path)
    guard !contents.bytes.has(#""role""#) else { return [] }
    return KeyAlgorithm.allCases.filter { algorithm in
      contents.bytes.has("\"\(algorithm.jwk.curve ?? algorithm.jwk.type)\"")
    }
  }
}

extension Span<UInt8> {
  /// Whether a text is in it.
  fileprivate func has(_ text: String) -> Bool {
    let text = Array(text.utf8)
    guard count >= text.count else { return false }
    return (0...count - text.count).contains { start in
      text.indices.allSatisfy { self[start + $0] == text[$0] }
    }
  }
}
