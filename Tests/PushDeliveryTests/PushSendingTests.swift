import PushCore
import PushDelivery
import Synchronization
import TestSupport
import Testing

/// What a client of one's own has without writing it.
@Suite("A client of one's own", .hangGuard)
struct PushSendingTests {
  /// Answers with the device's token as the ID, or not before it is let.
  private final class Sender: PushSending {
    let started = Mutex(0)
    let cancelled = Mutex(0)
    private let answers: Bool

    init(answers: Bool = true) { self.answers = answers }

    func send(_ push: AddressedPush) async throws(DeliveryError) -> APNsResponse {
      started.withLock { $0 += 1 }
      if answers { return APNsResponse(status: 200, id: push.address.token.text) }
      do { try await Task.sleep(for: .seconds(1 << 30)) } catch {}
      cancelled.withLock { $0 += 1 }
      throw DeliveryError(cause: .cancelled, mayBeDelivered: true)
    }
  }

  private func pushes(_ count: Int) throws -> [AddressedPush] {
    try Scene.pushes(count).enumerated().map { number, push in
      let token = DeviceToken([UInt8](repeating: UInt8(number), count: 32))!
      return AddressedPush(
        push, to: DeviceAddress(topic: Scene.topic, environment: .sandbox, token: token))
    }
  }

  private func stream(_ pushes: [AddressedPush]) -> AsyncStream<AddressedPush> {
    AsyncStream { continuation in
      for push in pushes { continuation.yield(push) }
      continuation.finish()
    }
  }

  @Test("sends a sequence, and gives each its answer")
  func sequence() async throws {
    let pushes = try pushes(50)
    var answered: Set<DeviceToken> = []
    for await sent in Sender().send(stream(pushes), atATime: 3) {
      #expect(try sent.result.get().id == sent.job.address.token.text)
      answered.insert(sent.job.address.token)
    }
    #expect(answered.count == 50)
  }

  @Test("has no more pushes of a route on their way than it was asked for")
  func limit() async throws {
    let sender = Sender(answers: false)
    let pushes = try pushes(10)
    let task = Task {
      for await _ in sender.send(stream(pushes), atATime: 3) {}
    }
    try await HangGuard.wait(while: sender.started.withLock(\.self) < 3)
    for _ in 0..<100 { await Task.yield() }
    #expect(sender.started.withLock(\.self) == 3)
    task.cancel()
    await task.value
  }

  @Test("is cancelled with its sequence")
  func cancelled() async throws {
    let sender = Sender(answers: false)
    let pushes = try pushes(3)
    let task = Task {
      for await _ in sender.send(stream(pushes), atATime: 3) {}
    }
    try await HangGuard.wait(while: sender.started.withLock(\.self) < 3)
    task.cancel()
    await task.value
    try await HangGuard.wait(while: sender.cancelled.withLock(\.self) < 3)
  }

  @Test("has no answer when the time is up, and is cancelled")
  func late() async throws {
    let sender = Sender(answers: false)
    let push = try pushes(1)[0]
    await #expect(throws: DeliveryError(cause: .noAnswer, mayBeDelivered: true)) {
      try await sender.send(push, within: .milliseconds(1))
    }
    #expect(sender.cancelled.withLock(\.self) == 1)
  }

  @Test("is cancelled with its caller, which learns that")
  func cancelledInTime() async throws {
    let sender = Sender(answers: false)
    let push = try pushes(1)[0]
    let task = Task { try await sender.send(push, within: .seconds(1 << 30)) }
    try await HangGuard.wait(while: sender.started.withLock(\.self) == 0)
    task.cancel()
    await #expect(throws: DeliveryError(cause: .cancelled, mayBeDelivered: true)) { try await task.value }
  }

  @Test("gives its answer within the time")
  func inTime() async throws {
    let push = try pushes(1)[0]
    let answer = try await Sender().send(push, within: .seconds(1 << 30))
    #expect(answer.isAccepted && answer.id == push.address.token.text)
  }
}
