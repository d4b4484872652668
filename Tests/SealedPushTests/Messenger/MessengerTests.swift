#if !canImport(Darwin)
  import Foundation
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

  /// What a messenger's extension does with an opened message.
  @Suite("A messenger's extension", .hangGuard)
  struct MessengerTests {
    private let chat = Chat()
    private let message = RemoteNotification(title: "Ada", body: "New message", sound: .default)

    // MARK: Communication notifications

    @Test("it says who writes, and the conversation groups the notification")
    func conversation() async throws {
      let chat = chat.with { parts in
        parts.conversation = { Conversation(id: "lunch", senderID: "ada", senderName: $0.title) }
      }
      let shown = try await chat.deliver(message)
      #expect(shown.conversation?.senderName == "Ada")
      #expect(shown.content.threadIdentifier == "lunch")
    }

    @Test("a picture that is an attachment is not shown as one, too")
    func avatar() async throws {
      let folder = try TemporaryFolder()
      let path = try folder.write("not really a picture", to: "avatar.png")
      let chat = chat.with { parts in
        parts.steps = [
          EnrichmentStep("avatar") { content, _ in
            content.attachments = [ShownAttachment(identifier: "avatar", type: .png, path: path)]
          }
        ]
        parts.conversation = { _ in
          Conversation(id: "lunch", senderID: "ada", senderName: "Ada", avatar: .attachment(0))
        }
      }
      #expect(try await chat.deliver(message).content.attachments.isEmpty)
    }

    @Test("nobody whom the phone does not know becomes a person of the system's")
    func anonymousConversation() async throws {
      let receiver = chat.phone.receiver(accepts: AcceptedEnvelopes(anonymous: true))
      let host = ExtensionHost(clock: chat.phone.clock) { Talkative { _ in receiver } }
      let push = try Sealer.anonymous(topic: Phone.topic).seal(
        message, to: chat.phone.device.publicKeys.recipient(), at: Phone.now)
      #expect(try await host.deliver(push).conversation == nil)
    }

    // MARK: Bytes

    @Test("the text is made of the app's own bytes")
    func bytes() async throws {
      let chat = chat.with { parts in
        parts.steps = [
          .reading { bytes, _ in
            RemoteNotification(title: "Ada", body: String(decoding: bytes, as: UTF8.self))
          }
        ]
      }
      let shown = try await chat.deliver(message.carrying(Array("Lunch at noon?".utf8)))
      #expect(shown.body == "Lunch at noon?")
    }

    @Test("where they cannot be read, the notification's own text is shown")
    func unreadableBytes() async throws {
      let chat = chat.with { $0.steps = [.reading { _, _ in throw CancellationError() }] }
      #expect(try await chat.deliver(message.carrying([1, 2, 3])).body == "New message")
    }

    @Test("a duplicate has the same text, and no sound")
    func bytesOfADuplicate() async throws {
      let chat = chat.with { parts in
        parts.steps = [
          .reading { bytes, _ in RemoteNotification(body: "\(bytes.count) bytes", sound: .default) }
        ]
      }
      let id = MessageID.random()
      #expect(try await chat.deliver(message.carrying([1, 2, 3]), id: id).content.sound != nil)
      let again = try await chat.deliver(message.carrying([1, 2, 3]), id: id)
      #expect(again.body == "3 bytes" && again.content.sound == nil)
    }

    @Test("whatever the bytes say, they are as they were sealed")
    func sameBytes() throws {
      let bytes = (0..<1024).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      #expect(message.carrying(bytes).bytes == bytes)
      let both = message.carrying(bytes).removing([.random()])
      #expect(both.bytes == bytes && both.changes.removes.count == 1)
    }

    // MARK: Settings

    private func shown(
      at minute: Int = 0, _ notification: RemoteNotification? = nil,
      _ change: (inout NotificationRules) -> Void
    ) async throws -> ShownNotification {
      var rules = NotificationRules()
      change(&rules)
      let chat = chat.with { [rules] parts in parts.steps = [.rules(at: { minute }) { _ in rules }] }
      return try await chat.deliver(notification ?? message)
    }

    @Test("a muted conversation makes no sound, and does not light the screen")
    func muted() async throws {
      let shown = try await shown { $0.isMuted = true }
      #expect(shown.content.sound == nil && shown.content.interruptionLevel == .passive)
    }

    @Test("a conversation has its own sound, but a silent message stays silent")
    func sound() async throws {
      #expect(
        try await shown { $0.sound = .named("bell.caf") }.content.sound
          == UNNotificationSound(named: .init("bell.caf")))
      let silent = RemoteNotification(title: "Ada", body: "New message")
      #expect(try await shown(silent) { $0.sound = .named("bell.caf") }.content.sound == nil)
    }

    @Test("the badge is the app's")
    func badge() async throws {
      #expect(try await shown { $0.badge = 7 }.content.badge == 7)
    }

    @Test(
      "quiet hours go over midnight",
      arguments: [(21 * 60 + 59, true), (22 * 60, false), (0, false), (6 * 60 + 59, false), (7 * 60, true)])
    func quietHours(minute: Int, sounds: Bool) async throws {
      let shown = try await shown(at: minute) { $0.quietHours = QuietHours(from: 22 * 60, to: 7 * 60) }
      #expect((shown.content.sound != nil) == sounds)
    }

    @Test("what is time-sensitive sounds in quiet hours, and not in a muted conversation")
    func urgent() async throws {
      var urgent = message
      urgent.interruptionLevel = .timeSensitive
      let always = QuietHours(from: 0, to: 1439)
      #expect(try await shown(urgent) { $0.quietHours = always }.content.sound != nil)
      #expect(try await shown(urgent) { $0.isMuted = true }.content.sound == nil)
    }

    @Test("with the app in front, only the steps run that make the text")
    func inFront() async throws {
      let chat = chat.with { parts in
        parts.appIsInFront = true
        parts.steps = [
          .reading { bytes, _ in RemoteNotification(body: "\(bytes.count) bytes") },
          EnrichmentStep("fetch") { content, _ in content.subtitle = "fetched" },
        ]
      }
      let shown = try await chat.deliver(message.carrying([1]))
      #expect(shown.body == "1 bytes" && shown.subtitle.isEmpty)
    }

    // MARK: Before the first unlock

    @Test("messages that came before the first unlock take their placeholders' places")
    func kept() async throws {
      let folder = try TemporaryFolder()
      let kept = KeptEnvelopes(path: folder.path(of: "kept.json"))
      let lock = PhoneLock()
      var receiver = chat.phone.receiver(keys: lock.protect(chat.phone.device))
      receiver.observers = [kept]
      let host = ExtensionHost(clock: chat.phone.clock) { [receiver] in TestService { _ in receiver } }
      for text in ["one", "two"] {
        let push = try chat.sealed(RemoteNotification(title: "Ada", body: text))
        _ = try await host.deliver(push, admitsPlaceholder: true)
      }
      lock.unlock()
      try await host.center.show(kept, with: receiver)
      let bodies = await host.center.deliveredNotifications().map(\.request.content.body)
      #expect(bodies == ["one", "two"])
    }

    @Test(
      "a kept message that was opened, and not shown, takes its placeholder's place all the same",
      arguments: [DuplicateRule.quietly, .placeholder, .suppress])
    func keptAndOpened(rule: DuplicateRule) async throws {
      let folder = try TemporaryFolder()
      let kept = KeptEnvelopes(path: folder.path(of: "kept.json"))
      let lock = PhoneLock()
      var receiver = chat.phone.receiver(keys: lock.protect(chat.phone.device), duplicates: rule)
      receiver.observers = [kept]
      let host = ExtensionHost(clock: chat.phone.clock) { [receiver] in TestService { _ in receiver } }
      let push = try chat.sealed(RemoteNotification(title: "Ada", body: "one"))
      _ = try await host.deliver(push, admitsPlaceholder: true)
      lock.unlock()
      // As by an app that was ended before it could show it.
      _ = try receiver.open(IncomingPush(payload: JSONObject(parsing: push.payload.span)))
      try await host.center.show(kept, with: receiver)
      #expect(await host.center.deliveredNotifications().map(\.request.content.body) == ["one"])
    }

    @Test("what never opens has no second placeholder")
    func keptForNothing() async throws {
      let folder = try TemporaryFolder()
      let kept = KeptEnvelopes(path: folder.path(of: "kept.json"))
      let lock = PhoneLock()
      var receiver = chat.phone.receiver(keys: lock.protect(KeySet(generating: .device, at: Phone.now)))
      receiver.observers = [kept]
      let host = ExtensionHost(clock: chat.phone.clock) { [receiver] in TestService { _ in receiver } }
      _ = try await host.deliver(chat.sealed(message), admitsPlaceholder: true)
      lock.unlock()
      try await host.center.show(kept, with: receiver)
      #expect(await host.center.deliveredNotifications().count == 1)
    }

    @Test("there is one notice of missed messages after each start of the phone")
    func missed() async throws {
      let folder = try TemporaryFolder()
      let missed = MissedMessages(path: folder.path(of: "missed.json"))
      #expect(missed.isFirst(since: "first"))
      #expect(!missed.isFirst(since: "first"))
      #expect(!MissedMessages(path: missed.path).isFirst(since: "first"))
      #expect(missed.isFirst(since: "second"))
      #expect(missed.isFirst(since: "") && missed.isFirst(since: ""), "a system that does not tell")
      #expect(!BootSession.current.isEmpty)
    }
  }

  /// An extension that takes everybody for Ada.
  private final class Talkative: SealedNotificationService {
    private let receiver: (Talkative) throws -> Receiver

    init(_ receiver: @escaping (Talkative) throws -> Receiver) { self.receiver = receiver }

    override func makeReceiver() throws -> Receiver { try receiver(self) }

    override func conversation(of content: UNNotificationContent, opened: Opened) async -> Conversation? {
      Conversation(id: "1", senderID: "ada", senderName: "Ada")
    }
  }
#endif
