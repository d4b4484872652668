import PushCore
import PushReceiver

extension Harness {
  /// A receiver with valid keys: only sealed messages open, and there is always something to show.
  static let opening = Harness(name: "open") { bytes in
    if let payload = try? JSONObject(parsing: bytes.span) {
      for anonymous in [false, true] {
        try check(IncomingPush(payload: payload), data: EnvelopeField(data: payload), anonymous)
      }
      return
    }
    var input = Input(bytes)
    let (anonymous, isText) = (input.flag(), input.flag())
    let message = input.choice(of: KnownMessage.all)
    let other = input.choice(of: KnownMessage.all)
    let text =
      if isText {
        String(
          decoding: input.edited(Array(message.text.utf8), beside: Array(other.text.utf8)), as: UTF8.self)
      } else {
        Base64URL.encode(input.edited(message.envelope, beside: other.envelope).span)
      }
    let field = EnvelopeField.text(text)
    try check(IncomingPush(title: "", hasSound: false, envelope: field), data: field, anonymous)
  }

  private static func check(_ push: IncomingPush, data: EnvelopeField, _ anonymous: Bool) throws {
    let receiver = KnownMessage.receiver(anonymous: anonymous)
    let reception = receiver.reception(of: push)
    try require(
      !reception.content.title.isEmpty || !reception.content.body.isEmpty, "there is a title or a body")
    let known = message(of: push.envelope, isData: false, anonymous)
    switch reception.outcome {
    case .opened(let opened):
      try require(known != nil, "only a sealed message opens")
      try require((opened.sender != nil) == known?.isSigned, "a signed message has a sender")
      try require(try receiver.open(push).json == known?.content, "an opened message has the sealed content")
    case .openedOther: try require(false, "no other system's envelope is accepted")
    case .degraded: try require(known == nil, "what was sealed opens")
    }
    let inside = message(of: data, isData: true, anonymous)
    try require(
      (try? receiver.openData(data, as: .voip))?.json == inside?.content, "data opens if it was sealed")
  }

  /// The message that a receiver has to open.
  private static func message(of field: EnvelopeField, isData: Bool, _ anonymous: Bool) -> KnownMessage? {
    guard case .text(let text) = field else { return nil }
    return KnownMessage.all.first {
      $0.isData == isData && ($0.isSigned || anonymous) && Array($0.text.utf8) == Array(text.utf8)
    }
  }
}
