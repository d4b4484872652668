import PushCore
import PushReceiver

/// Another system's format under test, in one configuration.
struct CompatibilityCase: Sendable {
  let format: any EnvelopeFormat
  /// Whether the format refuses an altered envelope.
  let isAuthenticated: Bool
  /// The envelope of a plaintext.
  let seal: @Sendable ([UInt8]) throws -> [UInt8]
  /// The payload that carries an envelope.
  let carry: @Sendable ([UInt8]) -> JSONObject
}

extension Harness {
  /// The formats of other systems, each by itself: an envelope that was sealed opens; one that is altered or not
  /// recognized does not.
  static let compatibility = [
    compatibility("compat-openssl-salted", CompatibilityCase.openSSLSalted),
    compatibility("compat-bark", CompatibilityCase.bark),
    compatibility("compat-webpush", CompatibilityCase.webPush),
    compatibility("compat-webpush-draft", CompatibilityCase.webPushDraft),
    compatibility("compat-sealed-box", CompatibilityCase.sealedBox),
    compatibility("compat-zulip", CompatibilityCase.zulip),
    compatibility("compat-home-assistant", CompatibilityCase.homeAssistant),
  ]

  private static func compatibility(_ name: String, _ cases: [CompatibilityCase]) -> Harness {
    Harness(name: name) { bytes in
      if let payload = try? JSONObject(parsing: bytes.span) {
        for item in cases { try item.check(payload) }
        return
      }
      var input = Input(bytes)
      let item = input.choice(of: cases)
      if input.flag() {
        try item.checkEdits(&input)
      } else {
        try item.checkRoundTrip(input.remainder())
      }
    }
  }
}

extension CompatibilityCase {
  private static let plaintext = Array(#"{"title":"Ada","body":"Lunch at noon?"}"#.utf8)

  /// Checks that any payload opens or has a typed error, and that one that opens was recognized.
  func check(_ payload: JSONObject) throws {
    guard let plaintext = try open(payload) else { return }
    guard isAuthenticated else { return }
    let sealed = try seal(Self.plaintext)
    try require(
      plaintext == Self.plaintext || carry(sealed).contains { payload[$0.key] == $0.value },
      "only a sealed envelope opens")
  }

  /// Checks that a plaintext seals and opens to the same, or is too large.
  func checkRoundTrip(_ plaintext: [UInt8]) throws {
    let envelope: [UInt8]
    do {
      envelope = try seal(plaintext)
    } catch EnvelopeFormatError.tooLarge {
      return
    }
    let payload = carry(envelope)
    switch result(of: payload) {
    case .success(let opened): try require(opened == plaintext, "what was sealed opens to the same")
    case .failure(let error):
      return try require(error == .tooLarge && plaintext.count > 3000, "what was sealed opens")
    }
    try require(format.recognizes(payload), "what was sealed is recognized")
    try require(type(of: format).isRecognized(payload), "what was sealed is recognized without keys")
  }

  /// Checks that an altered envelope does not open to another plaintext, if the format can detect it.
  func checkEdits(_ input: inout Input) throws {
    let envelope = try seal(Self.plaintext)
    let edited = input.edited(envelope, beside: Array(envelope.reversed()))
    guard let plaintext = try open(carry(edited)) else {
      return try require(edited != envelope, "an unaltered envelope opens")
    }
    try require(
      !isAuthenticated || plaintext == Self.plaintext, "an altered envelope opens to no other plaintext")
  }

  /// The plaintext; nil if there is a typed error.
  private func open(_ payload: JSONObject) throws -> [UInt8]? {
    guard case .success(let plaintext) = result(of: payload) else { return nil }
    try require(format.recognizes(payload), "a payload that is not recognized does not open")
    return plaintext
  }

  private func result(of payload: JSONObject) -> Result<[UInt8], EnvelopeFormatError> {
    Result { () throws(EnvelopeFormatError) in try format.open(payload) }
  }
}
