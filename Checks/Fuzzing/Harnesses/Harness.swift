/// A part of the package that reads untrusted input, with the properties that must hold for all input.
public struct Harness: Sendable {
  /// The harness's name, and that of its folder in the corpus.
  public let name: String

  /// Tests one input.
  ///
  /// - Throws: ``BrokenProperty``; any other error is also a fault.
  public let run: @Sendable ([UInt8]) throws -> Void

  /// Every harness.
  public static let all =
    [envelope, base64URL, json, opening, content, keys, signedSets, blob, lines, recipients, sealer, formats]
    + compatibility + network

  #if os(Linux)
    private static let network = [answers, providerKeys, proxyAnswers, proxyURLs, standIn, page, rows]
  #else
    private static let network: [Harness] = []
  #endif
}

/// A property that an input breaks.
public struct BrokenProperty: Error {
  /// The property that must hold.
  public let text: String
}

/// Requires that a property holds.
///
/// - Throws: ``BrokenProperty`` if it does not.
func require(_ isTrue: Bool, _ text: String) throws {
  guard isTrue else { throw BrokenProperty(text: text) }
}
