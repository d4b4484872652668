import PushCore
import PushCrypto
import PushKeys
import PushSealer
import PushTesting
import TestSupport
import Testing

/// The payloads that open, each made by the sealer, but for a few that only others make.
struct OpenedVectors {
  let keys: VectorKeys

  func all() throws -> [OpenedVector] {
    try everyCombination() + texts() + values() + largest() + times() + othersMake() + encapsulatedKeys()
  }

  private func everyCombination() throws -> [OpenedVector] {
    var vectors: [OpenedVector] = []
    for suite in Setting.publicKeySuites {
      for isSigned in [true, false] {
        for padding in Padding.allCases {
          let id = "\(suite.name)-\(isSigned ? "signed" : "anonymous")-\(padding.rawValue)"
          vectors.append(
            try sealed(
              id, "the plain case: this suite, this kind of sender, this padding", suite: suite,
              isSigned: isSigned, padding: padding))
        }
      }
    }
    return vectors
  }

  private func texts() throws -> [OpenedVector] {
    [
      try sealed(
        "body-empty", "an empty body beside a title", #"{"aps":{"alert":{"title":"Ada","body":""}}}"#),
      try sealed(
        "body-alone", "no title: the string form of an alert", #"{"aps":{"alert":"Lunch at noon?"}}"#),
      try sealed(
        "text-emoji", "characters of four bytes, and one of several",
        #"{"aps":{"alert":{"title":"🎉","body":"👩‍👩‍👧‍👦 🇰🇷 done 🚀"}}}"#),
      try sealed(
        "text-korean", "Hangul, composed and as jamo",
        #"{"aps":{"alert":{"title":"안녕하세요","subtitle":"점심","body":"열두 시에 만나요 한"}}}"#),
      try sealed(
        "text-escapes", "quotes, a backslash, a line break and a tab stay what they are",
        #"{"aps":{"alert":{"title":"\"Ada\" \\ Byron","body":"one\ntwo\tthree\u0001"}}}"#),
      try sealed(
        "text-localized", "keys to be localized on the device",
        #"{"aps":{"alert":{"title-loc-key":"GREETING","loc-key":"LUNCH","loc-args":["noon"]}}}"#),
      try sealed(
        "text-localized-beside-empty", "keys stand for texts that are empty, too",
        #"{"aps":{"alert":{"title":"","title-loc-key":"GREETING","body":"","loc-key":"LUNCH"}}}"#),
    ]
  }

  private func values() throws -> [OpenedVector] {
    [
      try sealed(
        "aps-everything", "every member of aps that has a type of its own",
        #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B","launch-image":"L"},"badge":9,"#
          + #""sound":"bingbong.aiff","thread-id":"t","category":"c","target-content-id":"w","#
          + #""interruption-level":"time-sensitive","relevance-score":0.5,"filter-criteria":"f"}}"#),
      try sealed(
        "sound-critical", "a critical sound, signed",
        #"{"aps":{"alert":"Fire","sound":{"critical":1,"name":"alarm.aiff","volume":0.5},"#
          + #""interruption-level":"critical"}}"#),
      try sealed(
        "sound-critical-anonymous", "a critical sound that nobody signed is an ordinary one",
        #"{"aps":{"alert":"Fire","sound":{"critical":1,"name":"alarm.aiff","volume":0.5},"#
          + #""interruption-level":"critical"}}"#, isSigned: false),
      try sealed(
        "custom-types", "custom members of every type",
        #"{"aps":{"alert":"B"},"string":"s","integer":42,"zero":0,"negative":-7,"double":1.5,"true":true,"#
          + #""false":false,"null":null,"array":[1,"a",null,false],"object":{"nested":{"deep":[]}},"empty":""}"#
      ),
      try sealed(
        "custom-numbers", "numbers keep their literals; one too big for a device is a string there",
        #"{"aps":{"alert":"B"},"max":9223372036854775807,"bigger":9223372036854775808,"#
          + #""huge":123456789012345678901234567890,"one":1.0,"exponent":1e2,"overflow":1e400}"#),
      try sealed("badge-zero", "a badge of 0 clears the icon", #"{"aps":{"alert":"B","badge":0}}"#),
      try sealed(
        "depth-32", "containers as deep as they may be",
        #"{"aps":{"alert":"B"},"deep":"# + String(repeating: "[", count: 31)
          + String(repeating: "]", count: 31) + "}"),
    ]
  }

  private func largest() throws -> [OpenedVector] {
    var vectors: [OpenedVector] = []
    for suite in Setting.publicKeySuites {
      for isSigned in [true, false] {
        let empty = #"{"aps":{"alert":{"body":""}}}"#.utf8.count
        let room =
          Budget.contentCapacity(policy: SealingPolicy(), suite: suite, isSigned: isSigned) - empty
        let body = String(repeating: "x", count: room)
        vectors.append(
          try sealed(
            "largest-\(suite.name)-\(isSigned ? "signed" : "anonymous")", "the longest body that fits",
            #"{"aps":{"alert":{"body":"\#(body)"}}}"#, suite: suite, isSigned: isSigned))
      }
    }
    return vectors
  }

  private func times() throws -> [OpenedVector] {
    var lastMoment = try sealed("time-last-second", "opened at the last second of lifetime and skew")
    lastMoment.now = UnixTime(clamping: Int64(Forge.issuedAt) + 2_592_000 + 300)
    var nowOrNever = try sealed("lifetime-zero", "now or never, within the skew", lifetime: 0)
    nowOrNever.now = UnixTime(clamping: Int64(Forge.issuedAt) + 300)
    var early = try sealed("time-issued-ahead", "issued 300 seconds in the future")
    early.now = UnixTime(clamping: Int64(Forge.issuedAt) - 300)
    return [lastMoment, nowOrNever, early]
  }

  private func othersMake() throws -> [OpenedVector] {
    var spaced = try forge("json-white-space", .x25519ChaChaPoly, isSigned: true)
    spaced.content = Array(" { \"aps\" : { \"alert\" : \"B\" } } \n".utf8)
    var reserved = try forge("reserved-member", .x25519ChaChaPoly, isSigned: true)
    reserved.content = Array(#"{"aps":{"alert":"B"},"sealed-push":{"v":1},"kept":true}"#.utf8)
    var unpadded = try forge("padding-odd", .p256AESGCM, isSigned: false)
    unpadded.padding = [0x80] + [UInt8](repeating: 0, count: 37)
    var retired = try forge("key-accepted", .x25519ChaChaPoly, isSigned: true)
    retired.recipient = try keys.retired()
    retired.issuedAt = UInt64(VectorKeys.made.seconds)
    var duringGrace = try forged(retired, "sealed to a key that was replaced and is still accepted")
    duringGrace.now = UnixTime(clamping: VectorKeys.made.seconds + 2_592_000)
    return [
      try forged(spaced, "white space in the content, which a sealer of another make may leave"),
      try forged(reserved, "the reserved member does not reach the app"),
      try forged(unpadded, "padding to no bucket"), duringGrace,
    ]
  }

  /// X25519's keys in other forms, which are interpreted as RFC 7748 does, and bound as they are sent: [4.1].
  private func encapsulatedKeys() throws -> [OpenedVector] {
    let recipient = try #require(try keys.recipient(.x25519ChaChaPoly).publicKey)
    // u = p + 9: the base point. So the secret is the device's public key.
    let base: [UInt8] = [0xf6] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    let ephemeral = try forge("enc-top-bit", .x25519ChaChaPoly, isSigned: true)
    let plain = Array(try ephemeral.envelope()[10..<42])
    let pair = try DHKEM.x25519.deriveKeyPair(from: ephemeral.randomness.span)
    let secret = try X25519.sharedSecret(
      privateKey: pair.privateKey.exposedBytes, publicKey: recipient.bytes.span)
    func vector(_ id: String, _ comment: String, _ enc: [UInt8], _ dh: [UInt8], hasSecret: Bool = true) throws
      -> OpenedVector
    {
      let forge = try forge(id, .x25519ChaChaPoly, isSigned: true)
      return OpenedVector(
        id: id, comment: comment, forge: forge, padding: "other", limit: PayloadLimit.notification.bytes,
        payload: try forge.payload(encapsulatedKey: enc, secret: dh), secret: hasSecret ? dh : nil)
    }
    let high = { (enc: [UInt8]) -> [UInt8] in enc.dropLast() + [enc[31] | 0x80] }
    return [
      try vector(
        "enc-top-bit", "the top bit of the encapsulated key is set, and the rest follows from that",
        high(plain),
        [UInt8](copying: secret.exposedBytes), hasSecret: false),
      try vector("enc-not-canonical", "u is p + 9", base, recipient.bytes),
      try vector(
        "enc-not-canonical-top-bit", "u is p + 9, and the top bit is set", high(base), recipient.bytes),
    ]
  }

  private func forge(_ id: String, _ suite: Suite, isSigned: Bool) throws -> Forge {
    Forge(id, to: try keys.recipient(suite), from: isSigned ? try keys.sender.signingKey() : nil)
  }

  private func forged(_ forge: Forge, _ comment: String) throws -> OpenedVector {
    OpenedVector(
      id: forge.label, comment: comment, forge: forge, padding: "other",
      limit: PayloadLimit.notification.bytes, payload: try forge.payload())
  }

  private func sealed(
    _ id: String, _ comment: String, _ content: String? = nil, suite: Suite = .x25519ChaChaPoly,
    isSigned: Bool = true, padding: Padding = .buckets, lifetime: UInt32 = 2_592_000
  ) throws -> OpenedVector {
    var forge = try forge(id, suite, isSigned: isSigned)
    if let content { forge.content = Array(content.utf8) }
    forge.lifetime = lifetime
    let sealed = try forge.sealed(SealingPolicy(padding: padding))
    return OpenedVector(
      id: id, comment: comment, forge: forge, padding: padding.rawValue, limit: sealed.budget.limit,
      payload: try JSONObject(parsing: sealed.payload.span))
  }
}
