#if !canImport(Darwin)
  import PushCore
  import PushEnrolment
  import PushHost
  import PushKeys
  import PushReceiver
  import PushTesting
  import SealedPush
  import TestSupport
  import Testing
  import UserNotifications

  /// A message that takes another's place, or takes others from the screen.
  @Suite("Messages that change others", .hangGuard)
  struct ChangesTests {
    private let chat = Chat()
    private let first = MessageID.random()
    private let second = MessageID.random()

    private func message(_ text: String) -> RemoteNotification {
      RemoteNotification(title: "Ada", body: text)
    }

    @Test("a notification's identifier is its message's ID on the device")
    func identifier() async throws {
      try await chat.deliver(message("Lunch?"), id: first)
      let thumbprint = try chat.phone.device.publicKeys.recipient().thumbprint
      #expect(chat.host.deliveredIdentifiers == [first.derived(for: thumbprint).text])
    }

    @Test("an edited text takes the place of the one before, also the second time")
    func replaces() async throws {
      try await chat.deliver(message("Lunch?"), id: first)
      try await chat.deliver(message("Dinner?"), id: second)
      try await chat.deliver(message("Lunch at noon?").replacing(first))
      #expect(await chat.bodies == ["Dinner?", "Lunch at noon?"])
      try await chat.deliver(message("Lunch at one?").replacing(first))
      #expect(await chat.bodies == ["Dinner?", "Lunch at one?"])
    }

    @Test("it takes the place also where the device has new keys since")
    func replacesAfterRotation() async throws {
      var editor = KeySetEditor(chat.phone.device)
      _ = try editor.rotate(at: chat.phone.clock.now)
      let rotated = editor.keySet
      let chat = Chat(phone: chat.phone, keys: rotated)
      try await chat.deliver(message("Lunch?"), id: first)
      _ = try await chat.host.deliver(chat.sealed(message("Dinner?").replacing(first), to: rotated))
      #expect(await chat.bodies == ["Dinner?"])
    }

    @Test("what was read elsewhere is taken from the screen, and others stay")
    func removes() async throws {
      try await chat.deliver(message("one"), id: first)
      try await chat.deliver(message("two"), id: second)
      try await chat.deliver(message("three"))
      try await chat.deliver(message("read elsewhere").removing([first, second]))
      #expect(await chat.bodies == ["three", "read elsewhere"])
    }

    @Test("an app that may show nothing removes without a trace")
    func removesSilently() async throws {
      let chat = Chat(mayFilter: true).with { $0.hidesRemovals = true }
      try await chat.deliver(message("one"), id: first)
      let shown = try await chat.deliver(message("deleted").removing([first]))
      #expect(!shown.isVisible)
      #expect(await chat.bodies == [])
    }

    @Test("in a background push the app removes it")
    func removesInBackground() async throws {
      try await chat.deliver(message("one"), id: first)
      var policy = SealingPolicy()
      policy.pushType = .background
      let sealer = Sealer(
        topic: Phone.topic, signingKey: try chat.phone.backend.signingKey(), policy: policy)
      let push = try sealer.seal(
        RemoteNotification(otherAPS: ["content-available": 1]).removing([first]),
        to: chat.phone.device.publicKeys.recipient(), at: Phone.now)
      let receiver = chat.phone.receiver()
      let message = try receiver.openData(
        EnvelopeField(data: JSONObject(parsing: push.payload.span)), as: .background)
      await chat.host.center.carryOut(message.opened, for: receiver)
      #expect(await chat.bodies == [])
    }

    @Test("nobody whom the phone does not know removes anything")
    func anonymous() async throws {
      let receiver = chat.phone.receiver(accepts: AcceptedEnvelopes(anonymous: true))
      let host = ExtensionHost(clock: chat.phone.clock) { TestService { _ in receiver } }
      _ = try await host.deliver(chat.sealed(message("one"), id: first))
      let push = try Sealer.anonymous(topic: Phone.topic).seal(
        message("gone").removing([first]), to: chat.phone.device.publicKeys.recipient(), at: Phone.now)
      _ = try await host.deliver(push)
      let bodies = await host.center.deliveredNotifications().map(\.request.content.body)
      #expect(bodies == ["one", "gone"])
    }

    @Test("Apple sees that one message takes another's place, and nothing of what is removed")
    func visible() throws {
      let replacing = try chat.sealed(message("Dinner?").replacing(first))
      let thumbprint = try chat.phone.device.publicKeys.recipient().thumbprint
      #expect(replacing.headers.identifier == first.derived(for: thumbprint).text)
      let removing = try chat.sealed(message("gone").removing([first]))
      #expect(removing.headers.identifier == removing.headers.messageID.text)
      let text = String(decoding: removing.payload, as: UTF8.self)
      #expect(!text.contains(first.text) && !text.contains(first.derived(for: thumbprint).text))
    }

    @Test("to a single device the ID is the message's own")
    func singleDevice() throws {
      let sealer = Sealer(topic: Phone.topic, signingKey: try chat.phone.backend.signingKey())
      let push = try sealer.seal(
        message("Dinner?").replacing(first), to: chat.phone.device.publicKeys.recipient(), at: Phone.now)
      #expect(push.headers.identifier == first.text)
    }

    @Test("the app sees nothing of the member")
    func userInfo() async throws {
      var message = message("gone").removing([first])
      message.custom["chat"] = "lunch"
      let shown = try await chat.deliver(message)
      #expect(shown.content.userInfo["chat"] as? String == "lunch")
      #expect(shown.content.userInfo["sealed-push"] == nil)
    }
  }
#endif
