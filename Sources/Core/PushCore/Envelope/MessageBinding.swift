/// The context that a message is bound to but does not carry: app, version, suite and the recipient's full key.
///
/// A message does not open in another app, with another suite or with another key (FORMAT.md, section 3).
package struct MessageBinding: Hashable, Sendable {
  /// The app's bundle ID.
  package let topic: Topic
  /// The suite.
  package let suite: Suite
  /// The thumbprint of the recipient's key.
  package let recipient: Thumbprint

  /// Makes a binding from its parts.
  package init(topic: Topic, suite: Suite, recipient: Thumbprint) {
    self.topic = topic
    self.suite = suite
    self.recipient = recipient
  }

  /// The `info` parameter of HPKE or, with a shared key, of HKDF.
  ///
  /// "sealed-push v1" 0x00 | topic length (2) | topic | version (1) | suite (1) | thumbprint (32).
  package var info: [UInt8] {
    var info: [UInt8] = []
    info.reserveCapacity(infoSize)
    append(to: &info)
    return info
  }

  /// The length of ``info``, in bytes.
  var infoSize: Int { Self.label.count + 2 + topic.text.utf8.count + 2 + Thumbprint.size }

  /// Appends ``info`` to `bytes`.
  func append(to bytes: inout [UInt8]) {
    bytes += Self.label
    bytes.append(bigEndian: UInt64(topic.text.utf8.count), count: 2)
    bytes.append(text: topic.text)
    bytes.append(Envelope.version)
    bytes.append(suite.rawValue)
    bytes += recipient.bytes
  }

  private static let label = Array("sealed-push v1\0".utf8)
}
