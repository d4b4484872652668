/// Where a job belongs in an application's trace: `traceparent` of W3C's Trace Context.
///
/// A worker hands it on in its log, so that the tracing joins what became of a message to what caused it. Phones and APNs do not
/// get it.
public struct TraceParent: Hashable, Sendable {
  /// The header's value, 55 characters, such as `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`.
  public let text: String

  /// Whether the application records the trace: its last byte's last bit.
  public let isSampled: Bool

  /// How long each part is, in lowercase hexadecimal digits: version, trace, parent, flags.
  private static let sizes = [2, 32, 16, 2]

  /// Reads the header's value; nil if it has another form, or a trace or a parent of zeros alone.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isHex = parts.allSatisfy { part in
      part.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
    guard isHex, parts.map(\.count) == Self.sizes, !parts[0].elementsEqual("ff".utf8),
      parts[1...2].allSatisfy({ !$0.allSatisfy { $0 == UInt8(ascii: "0") } }), let last = parts[3].last
    else { return nil }
    self.text = text
    // 0 to 9 and a to f: the last bit of a letter's code is that of another number.
    isSampled = (last < 0x3a ? last : last + 1) & 1 == 1
  }
}
