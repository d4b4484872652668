/// Reads JSON from a span, piece by piece, by the caller's lead.
///
/// A container is opened with ``beginObject()`` or ``beginArray()`` and stepped through with ``nextKey()`` or
/// ``nextElement()``; after each step the caller reads exactly one value. ``readValue()`` reads anything
/// whole. ``finish()`` comes last. After an error the reader is of no more use.
///
/// Every rule of ``JSONValue/init(parsing:maximumDepth:)`` holds here too: duplicate keys and the depth are
/// checked by the reader itself, whoever steps. A caller that steps wrongly gets an error, never a trap.
package struct JSONReader: ~Copyable, ~Escapable {
  /// The deepest nesting that is read whatever the caller asks for: values are walked by recursion, on the
  /// small stack of whatever thread this is.
  static let deepest = 128

  let bytes: Span<UInt8>
  let maximumDepth: Int
  var containers: [Container] = []

  /// How many bytes have been read.
  package internal(set) var offset = 0

  /// Starts at the first byte.
  ///
  /// Nothing is checked before the first read.
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, maximumDepth: Int = 32) {
    self.bytes = bytes
    self.maximumDepth = min(maximumDepth, Self.deepest)
  }

  /// Checks that only white space remains and that every container has been stepped through to its end.
  package mutating func finish() throws(JSONError) {
    skipWhitespace()
    guard containers.isEmpty, offset == bytes.count else { throw JSONError(.trailingBytes, at: offset) }
  }

  /// The next byte after white space, not consumed.
  ///
  /// Throws `unexpectedEnd` if there is none.
  mutating func peek() throws(JSONError) -> UInt8 {
    skipWhitespace()
    guard offset < bytes.count else { throw JSONError(.unexpectedEnd, at: offset) }
    return bytes[offset]
  }

  /// What to throw if the byte at the offset starts no value, or a value other than the one asked for.
  func refusal(of byte: UInt8, otherwise reason: JSONError.Reason) -> JSONError {
    if offset == 0, startsWithByteOrderMark {
      return JSONError(.byteOrderMark, at: 0)
    }
    return JSONError(JSONKind(firstByte: byte) == nil ? .unexpectedByte : reason, at: offset)
  }

  // RFC 8259, 2: ws = space, horizontal tab, line feed, carriage return
  private mutating func skipWhitespace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  private var startsWithByteOrderMark: Bool {
    guard bytes.count >= 2 else { return false }
    switch (bytes[0], bytes[1]) {
    case (0xFE, 0xFF), (0xFF, 0xFE): return true
    case (0xEF, 0xBB): return bytes.count >= 3 && bytes[2] == 0xBF
    default: return false
    }
  }
}

extension JSONReader {
  /// An array or object that has been opened and not yet closed.
  struct Container {
    let isObject: Bool
    var isFirst = true
    var keys = KeyIndex()
  }
}
