import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing

/// One sealer and one receiver, used by many tasks at once.
@Suite(.hangGuard)
struct ManyTasksTests {
  private static let tasks = 64
  private static let messages = 2

  @Test(
    "each message that comes twice at once is shown as it was sealed, and as new once",
    arguments: Suite.available)
  func everyMessage(suite: Suite) async throws {
    let parties = Parties(suite)
    let sealer = Sealer(topic: Parties.topic, signingKey: try parties.backend.signingKey(at: Parties.now))
    let recipient = try parties.recipient
    let receiver = parties.receiver(replay: InMemoryReplayStore(capacity: 2 * Self.tasks * Self.messages))

    let shown = try await withThrowingTaskGroup(of: [[Reception]].self) { group in
      for task in 0..<Self.tasks {
        group.addTask {
          var receptions: [[Reception]] = []
          for message in 0..<Self.messages {
            let notification = RemoteNotification(title: "\(task)", body: "\(message)")
            let job = SealJob(.notification(notification), to: recipient, at: Parties.now)
            let payload = try JSONObject(parsing: try sealer.seal(job).payload.span)
            async let first = receiver.receive(IncomingPush(payload: payload))
            async let second = receiver.receive(IncomingPush(payload: payload))
            receptions.append(await [first, second])
          }
          return receptions
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }

    let texts = shown.map { pair in Set(pair.map { "\($0.content.title)/\($0.content.body)" }) }
    #expect(texts.allSatisfy { $0.count == 1 }, "both deliveries show the same")
    let all = (0..<Self.tasks).flatMap { task in (0..<Self.messages).map { "\(task)/\($0)" } }
    #expect(Set(texts.flatMap(\.self)) == Set(all))
    let isNew = shown.map { pair in pair.filter { $0.opened?.isDuplicate == false }.count }
    #expect(isNew.allSatisfy { $0 == 1 }, "one of both is the first")
  }
}

extension Reception {
  fileprivate var opened: Opened? { if case .opened(let opened) = outcome { opened } else { nil } }
}
