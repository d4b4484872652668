/// A part of the package that takes what others made, and what must hold whatever bytes come.
public struct Harness: Sendable {
  /// What it is called, as is its folder of the corpus.
  public let name: String

  /// Takes one input.
  ///
  /// - Throws: ``BrokenProperty``; any other error is one that should not have been thrown.
  public let run: @Sendable ([UInt8]) throws -> Void

  /// Every harness; none finds anything if all is well.
  public static let all =
    [envelope, base64URL, json, opening, content, keys, signedSets, blob, lines, recipients, sealer, formats]
    + compatibility + network

  #if os(Linux)
    private static let network = [answers, providerKeys, standIn, page, rows]
  #else
    private static let network: [Harness] = []
  #endif
}

/// Something does not hold of an input.
public struct BrokenProperty: Error {
  /// What was to hold.
  public let text: String
}

/// Says that something holds.
///
/// - Throws: ``BrokenProperty`` if it does not.
func require(_ isTrue: Bool, _ text: String) throws {
  guard isTrue else { throw BrokenProperty(text: text) }
}
