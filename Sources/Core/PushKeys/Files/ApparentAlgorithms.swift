extension KeyFile {
  /// The kinds of keys in a file that does not load, as far as its text shows; none for an identity or a root, which
  /// nothing can replace.
  package func apparentAlgorithms() throws(KeyFileError) -> [KeyAlgorithm] {
    try naming { () throws(KeyFileFault) in try algorithmsInText() }
  }

  private func algorithmsInText() throws(KeyFileFault) -> [KeyAlgorithm] {
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
