import PushEnvelope
import PushPayload
import PushReceiver

extension Comparison {
  /// Struct to final bytes.
  static func seal(_ scene: Scene) throws -> Comparison {
    let bare = try scene.bare()
    let box = try BareSealedBox(messageSize: scene.contentSize)
    return Comparison("seal \(scene.label)") { count in
      for _ in 0..<count { blackHole(try scene.seal()) }
    } bare: { count in
      for _ in 0..<count { try bare.seal() }
    } box: { count in
      for _ in 0..<count { try box.seal() }
    }
  }

  /// Payload bytes to the content to show, which each message is for the first time.
  static func open(_ scene: Scene) throws -> Comparison {
    // Fewer than the replay store remembers: an extension does not come near to filling it.
    let messages = try (0..<500).map { _ in try scene.seal() }
    let bare = try scene.bare()
    let box = try BareSealedBox(messageSize: scene.contentSize)
    return Comparison("open \(scene.label)") { count in
      var receiver = scene.receiver()
      for index in 0..<count {
        let position = index % messages.count
        if position == 0 { receiver = scene.receiver() }
        let message = messages[position]
        let reception = receiver.reception(ofPayload: try JSONObject(parsing: message.span))
        guard case .opened(let opened) = reception.outcome, opened.repetition == .first else {
          throw BenchmarkError.notOpened
        }
        blackHole(reception)
      }
    } bare: { count in
      for _ in 0..<count { try bare.open() }
    } box: { count in
      for _ in 0..<count { try box.open() }
    }
  }
}

extension Scene {
  /// The primitives that a message of this scene takes.
  func bare() throws -> BareMessage {
    let sizes = MessageSizes(
      topic: topic.text.utf8.count, content: contentSize, plaintext: try plaintextSize(),
      encapsulatedKey: suite.encapsulatedKeySize)
    let hpke: any BareHPKE =
      switch suite {
      case .x25519ChaChaPoly: try BareX25519ChaChaPoly(plaintextSize: sizes.plaintext)
      case .p256AESGCM: try BareP256AESGCM(plaintextSize: sizes.plaintext)
      }
    return try BareMessage(hpke: hpke, sizes: sizes, isSigned: isSigned)
  }
}
