extension KeyFile {
  /// The algorithms that the text of a file names, even if the file does not load.
  ///
  /// None for an identity or a root, because such a key cannot be replaced.
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
  /// Whether the bytes contain a text.
  fileprivate func has(_ text: String) -> Bool {
    let text = Array(text.utf8)
    guard count >= text.count else { return false }
    return (0...count - text.count).contains { start in
      text.indices.allSatisfy { self[start + $0] == text[$0] }
    }
  }
}
