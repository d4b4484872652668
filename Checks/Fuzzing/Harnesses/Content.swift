import PushAttachments
import PushCore
import PushKeys
import PushReceiver
import PushTesting

extension Harness {
  /// Contents and plaintexts from someone who has the key: they open unchanged, or the placeholder is shown.
  static let content = Harness(name: "content") { bytes in
    var input = Input(bytes)
    let form = input.byte()
    let rest = input.remainder()
    let isSigned = form & 2 != 0
    let plaintext =
      if form & 1 == 0 { plaintext(of: rest, isSigned: isSigned) } else { rest }
    guard let push = push(plaintext) else { return }
    var receiver = KnownMessage.receiver(anonymous: true)
    receiver.strings = Texts()
    try check(receiver.reception(of: push), of: push, by: receiver, plaintext)
  }

  private static let recipient = Keys.recipients[Suite.available.firstIndex(of: .sharedChaChaPoly)!]

  /// A content with everything around it.
  private static func plaintext(of content: [UInt8], isSigned: Bool) -> [UInt8] {
    let claims = Claims(messageID: MessageID([UInt8](1...16))!, issuedAt: Keys.now, lifetime: .maximum)
    var sealed = SealedContent(type: .notification, claims: claims, content: content)
    if isSigned {
      let keyID = Keys.signingKey.publicKey.thumbprint.keyID
      let input = sealed.signatureInput(for: recipient.binding(for: Keys.topic), signer: keyID)
      let signature = Keys.signingKey.sign(input.span)
      sealed = sealed.signed(by: SealedContent.Signature(keyID: keyID, bytes: signature)!)
    }
    return sealed.encoded(paddedTo: sealed.minimumSize)
  }

  /// The plaintext in an envelope; nil if it is longer than any valid one.
  private static func push(_ plaintext: [UInt8]) -> IncomingPush? {
    guard
      let envelope = try? recipient.seal(plaintext.span, for: Keys.topic, random: Keys.randomness("content")),
      envelope.textSize <= Envelope.maximumTextSize
    else { return nil }
    return IncomingPush(title: "Outer", hasSound: true, envelope: .text(envelope.text))
  }

  private static func check(
    _ reception: Reception, of push: IncomingPush, by receiver: Receiver, _ plaintext: [UInt8]
  ) throws {
    let shown = reception.content
    try require(!shown.title.isEmpty || !shown.body.isEmpty, "there is a title or a body")
    let json = shown.json.encoded()
    try require((try? JSONObject(parsing: json.span)) != nil, "what is shown is JSON")
    guard case .opened(let opened) = reception.outcome else {
      return try require(shown.body == Placeholder.text, "the placeholder shows")
    }
    let content = try SealedContent(decoding: plaintext.span)
    let message = try receiver.open(push)
    try require(message.json == content.content, "the opened content is the sealed one")
    try require(message.opened.claims == content.claims, "the opened claims are the sealed ones")
    try require(
      shown.userInfo[EnvelopeKey.reserved] == nil && shown.userInfo[EnvelopeKey.default.text] == nil,
      "the app gets no member of the format's own")
    if opened.sender == nil { try require(isQuiet(shown), "an anonymous message breaks through no silence") }
    let member = SealedPushMember(reading: message.payload[SealedPushMember.name])
    try require(
      member.attachments.count + member.faults.count <= SealedPushMember.maximumCount, "attachments are few")
  }

  /// Whether a content does not break through silence.
  static func isQuiet(_ content: ShownContent) -> Bool {
    if case .critical? = content.sound { return false }
    return [.active, .passive].contains(content.interruptionLevel)
  }
}

/// The texts of an app, with specifiers of many kinds.
private struct Texts: LocalizedStrings {
  func format(forKey key: String) -> String? {
    switch key {
    case "A": "%@ and %@"
    case "B": "%2$@ before %1$@, 100%% of %d %#@x@ %"
    case "E": ""
    default: nil
    }
  }
}
