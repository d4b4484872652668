import PushCore
import PushKeys
import PushReceiver
import Scenes

extension Comparison {
  /// Struct to final bytes.
  static func seal(_ scene: Scene) throws -> Comparison {
    let bare = try scene.bare()
    let box = try BareSealedBox(messageSize: scene.contentSize)
    let envelope = try scene.envelope()
    return Comparison(
      label: "seal \(scene.label)",
      sides: [
        .whole: { for _ in 0..<$0 { blackHole(try scene.seal()) } },
        .bare: { for _ in 0..<$0 { try bare.seal() } },
        .box: { for _ in 0..<$0 { try box.seal() } },
        .together: { blackHole(try scene.seal($0)) },
        .withoutLanes: { blackHole(try scene.sealWithoutLanes($0)) },
        .allCores: { blackHole(try await scene.sealOnAllCores($0)) },
        .json: { for _ in 0..<$0 { blackHole(try scene.json()) } },
        .base64: { for _ in 0..<$0 { blackHole(Base64URL.encode(envelope.span)) } },
      ])
  }

  /// A device's new key, in a set.
  static func makeKey(_ suite: Suite) -> Comparison {
    Comparison(
      label: "make a key \(suite.name)",
      sides: [
        .whole: {
          for _ in 0..<$0 { blackHole(try KeySet(generating: .device, suite: suite, at: .now)) }
        }
      ])
  }

  /// Payload bytes to the content to show, which each message is for the first time.
  static func open(_ scene: Scene) throws -> Comparison {
    // Fewer than the replay store remembers: an extension does not come near to filling it.
    let messages = try scene.seal(500)
    let bare = try scene.bare()
    let box = try BareSealedBox(messageSize: scene.contentSize)
    let texts = (payload: messages[0], content: try scene.json(), envelope: try scene.envelopeText())
    let content = try JSONObject(parsing: texts.content.span)
    return Comparison(
      label: "open \(scene.label)",
      sides: [
        .whole: { try open(messages, of: scene, count: $0) },
        .bare: { for _ in 0..<$0 { try bare.open() } },
        .box: { for _ in 0..<$0 { try box.open() } },
        .json: {
          for _ in 0..<$0 {
            blackHole(try JSONObject(parsing: texts.payload.span))
            blackHole(try JSONObject(parsing: texts.content.span))
          }
        },
        .base64: { for _ in 0..<$0 { blackHole(try Base64URL.decode(texts.envelope)) } },
        .userInfo: { for _ in 0..<$0 { blackHole(PropertyList.dictionary(from: content)) } },
      ])
  }

  /// What opening one message allocates.
  static func allocationsOfOpening(_ scene: Scene) throws -> AllocationCount {
    let count = 100
    let messages = try scene.seal(count + 1)
    let receiver = scene.receiver()
    var next = 0
    return try AllocationCount(repetitions: count) {
      try open(messages[next], by: receiver)
      next += 1
    }
  }

  private static func open(_ messages: [[UInt8]], of scene: Scene, count: Int) throws {
    var receiver = scene.receiver()
    for index in 0..<count {
      let position = index % messages.count
      if position == 0 { receiver = scene.receiver() }
      try open(messages[position], by: receiver)
    }
  }

  private static func open(_ message: [UInt8], by receiver: Receiver) throws {
    let reception = receiver.reception(ofPayload: try JSONObject(parsing: message.span))
    guard case .opened(let opened) = reception.outcome, opened.repetition == .first else {
      throw BenchmarkError.notOpened
    }
    blackHole(reception)
  }
}

extension Scene {
  /// The bytes of a message's envelope.
  fileprivate func envelope() throws -> [UInt8] { try Base64URL.decode(envelopeText()) }

  /// A message's envelope, as it is in the payload.
  fileprivate func envelopeText() throws -> String {
    let payload = try seal()
    guard let text = try JSONObject(parsing: payload.span)[EnvelopeKey.default.text]?.string else {
      throw BenchmarkError.notOpened
    }
    return text
  }
}
