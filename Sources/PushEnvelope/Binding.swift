/// What a message is bound to without carrying it: app, version, suite and the recipient's whole key.
///
/// FORMAT.md, section 3. A message cannot be moved to another app, suite or key.
public struct Binding: Hashable, Sendable {
  /// The app.
  public let topic: Topic
  /// The suite.
  public let suite: Suite
  /// The recipient's key.
  public let recipient: Thumbprint

  /// Puts a binding together.
  public init(topic: Topic, suite: Suite, recipient: Thumbprint) {
    self.topic = topic
    self.suite = suite
    self.recipient = recipient
  }

  /// HPKE's `info`: "sealed-push v1" 0x00 | topic length (2) | topic | version (1) | suite (1) | thumbprint (32).
  public var info: [UInt8] {
    var info = Array("sealed-push v1\0".utf8)
    info.append(bigEndian: UInt64(topic.text.utf8.count), count: 2)
    info += Array(topic.text.utf8)
    info += [Envelope.version, suite.rawValue]
    info += recipient.bytes
    return info
  }
}
