import PushCore

extension Harness {
  /// Envelopes as text and as bytes, and the plaintexts inside: if one decodes, encoding the result gives the same
  /// bytes.
  static let envelope = Harness(name: "envelope") { bytes in
    try check(text: String(decoding: bytes, as: UTF8.self))
    let text = Base64URL.encode(bytes.span)
    if let envelope = try check(text: text) {
      try require(envelope.encoded() == bytes, "an envelope's bytes are those it was decoded from")
    }
    try check(plaintext: bytes)
  }

  /// Base64url: bytes have one text, and every text of the encoder decodes.
  static let base64URL = Harness(name: "base64url") { bytes in
    let encoded = Base64URL.encode(bytes.span)
    try require(encoded.utf8.count == Base64URL.encodedSize(of: bytes.count), "the size is the one announced")
    try require(try Base64URL.decode(encoded) == bytes, "what was encoded decodes")
    try check(base64URL: bytes)
  }

  @discardableResult
  private static func check(text: String) throws -> Envelope? {
    let envelope: Envelope
    do throws(EnvelopeError) {
      envelope = try Envelope(decoding: text)
    } catch {
      try require(
        error != .tooLarge || text.utf8.count > Envelope.maximumTextSize,
        "only an envelope over the limit is too large")
      return nil
    }
    try require(Array(envelope.text.utf8) == Array(text.utf8), "an envelope has one text")
    try require(envelope.textSize == text.utf8.count, "the size of the text is the one announced")
    var appended: [UInt8] = [0]
    envelope.appendText(to: &appended)
    try require(appended == [0] + Array(text.utf8), "the text is appended as it is")
    return envelope
  }

  private static func check(plaintext: [UInt8]) throws {
    guard let content = try? SealedContent(decoding: plaintext.span) else { return }
    try require(content.minimumSize <= plaintext.count, "a plaintext has room for its content")
    try require(
      content.encoded(paddedTo: plaintext.count) == plaintext, "a plaintext is the encoding of its content")
  }

  private static func check(base64URL text: [UInt8]) throws {
    var yielded: [UInt8] = []
    let piecewise = Result { () throws(Base64URLError) in
      try Base64URL.decode(text.span) { yielded.append($0) }
      return yielded
    }
    let whole = Result { () throws(Base64URLError) in try Base64URL.decode(text.span) }
    try require(piecewise == whole, "decoding byte by byte gives the same result")
    switch whole {
    case .success(let bytes):
      try require(Array(Base64URL.encode(bytes.span).utf8) == text, "bytes have one text")
    case .failure(let error):
      try require((0...text.count).contains(error.offset), "the fault is in the text")
    }
  }
}
