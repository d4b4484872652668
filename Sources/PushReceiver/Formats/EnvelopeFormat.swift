public import PushPayload

/// Another system's envelope: what a payload of it carries, opened.
///
/// A format is not as strong as the package's own envelope. What each lacks stands with its type; one that
/// authenticates nothing is only made by a call that says `unauthenticated`.
public protocol EnvelopeFormat: Sendable {
  /// Its name, as the tool and the log have it, such as `openssl-salted`.
  static var name: String { get }

  /// Whether a payload looks like one of this format, whatever its keys.
  static func isRecognized(_ payload: JSONObject) -> Bool

  /// Whether a payload looks like one for this value, which may know of its own member.
  func recognizes(_ payload: JSONObject) -> Bool

  /// The plaintext of a payload's envelope.
  ///
  /// - Throws: ``EnvelopeFormatError``.
  func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8]
}

extension EnvelopeFormat {
  /// Whether a payload looks like one of this format.
  public func recognizes(_ payload: JSONObject) -> Bool { Self.isRecognized(payload) }
}
