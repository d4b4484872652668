import Foundation
import Locks
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// What happens between opening and showing: steps in order, each in its share of the time, none at the text's cost.
@Suite(.hangGuard)
struct StepTests {
  private struct Broken: Error {}

  private let parties = Parties()
  private let clock = ManualClock(Parties.now)
  private let recorder = Recorder()
  private let notes = Notes()

  private func start(
    _ steps: [EnrichmentStep], _ draft: Draft = Draft(), deadline: Duration = Receiver.softDeadline
  ) throws -> PendingReception {
    var receiver = parties.receiver(clock: clock)
    receiver.steps = steps
    receiver.observers = [notes]
    return receiver.receive(try parties.push(draft), deadline: deadline) { [recorder] in recorder.record($0) }
  }

  private func content(_ steps: [EnrichmentStep], _ draft: Draft = Draft()) async throws -> ShownContent? {
    _ = try start(steps, draft)
    await recorder.wait()
    return recorder.receptions.first?.content
  }

  private static func appending(_ text: String) -> EnrichmentStep {
    EnrichmentStep(text) { content, _ in content.body += text }
  }

  /// A step that does not end, and says when it begins and when it was cancelled.
  private static func hanging(from begun: Signal, until cancelled: Signal) -> EnrichmentStep {
    EnrichmentStep("hanging") { content, _ in
      content.body = "too late"
      begun.fire()
      let never = Signal()
      await withTaskCancellationHandler {
        await never.wait()
      } onCancel: {
        cancelled.fire()
      }
    }
  }

  @Test("steps run in order, each on what the ones before made")
  func order() async throws {
    let content = try await content([Self.appending(" 1"), Self.appending(" 2"), Self.appending(" 3")])
    #expect(content?.body == "secret 1 2 3")
  }

  #if canImport(Glibc)
    @Test("a step has the stack that it has on a phone: 512 KB")
    func stack() async throws {
      let size = Mutex(0)
      let step = EnrichmentStep("stack") { _, _ in
        // Glibc declares it for programs in C only if they ask.
        typealias Get = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt
        guard let symbol = unsafe dlsym(nil, "pthread_getattr_np") else { return }
        let get = unsafe unsafeBitCast(symbol, to: Get.self)
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { unsafe attributes.deallocate() }
        guard unsafe get(pthread_self(), attributes) == 0 else { return }
        var found = 0
        unsafe pthread_attr_getstacksize(attributes, &found)
        unsafe pthread_attr_destroy(attributes)
        size.withLock { [found] in $0 = found }
      }
      _ = try await content([step])
      #expect(size.withLock { $0 } == 512 << 10)
    }
  #endif

  @Test("a step gets the message that was opened")
  func message() async throws {
    let draft = Draft()
    let step = EnrichmentStep("id") { content, message in content.body = message.opened.claims.messageID.text
    }
    #expect(try await content([step], draft)?.body == draft.messageID.text)
  }

  @Test("a step that throws costs only itself")
  func throwing() async throws {
    let broken = EnrichmentStep("broken") { content, _ in
      content.body = "half done"
      throw Broken()
    }
    #expect(try await content([Self.appending(" 1"), broken, Self.appending(" 2")])?.body == "secret 1 2")
    #expect(notes.failures == ["broken: failed"])
  }

  @Test("a step that leaves no text costs only itself")
  func emptying() async throws {
    let emptying = EnrichmentStep("emptying") { content, _ in (content.title, content.body) = ("", "") }
    #expect(try await content([emptying, Self.appending(" 2")])?.body == "secret 2")
    #expect(notes.failures == ["emptying: nothing-to-show"])
  }

  @Test("a step that hangs costs only itself: it is cancelled when its share is over, and the next one runs")
  func hanging() async throws {
    let (begun, cancelled) = (Signal(), Signal())
    _ = try start([Self.appending(" 1"), Self.hanging(from: begun, until: cancelled), Self.appending(" 3")])
    await begun.wait()
    // Of 25 seconds, two steps are left: the deadline and the share of 12.5 seconds are waited for.
    await clock.waitForSleepers(count: 2)
    clock.advance(by: .milliseconds(12_499))
    #expect(recorder.receptions.isEmpty)
    clock.advance(by: .milliseconds(1))
    await cancelled.wait()
    await recorder.wait()
    #expect(recorder.receptions.map(\.content.body) == ["secret 1 3"])
    #expect(notes.failures == ["hanging: late"])
  }

  @Test("what the steps made so far is shown when the time is over, and the step is cancelled")
  func expiry() async throws {
    let (begun, cancelled) = (Signal(), Signal())
    let reception = try start([Self.appending(" 1"), Self.hanging(from: begun, until: cancelled)])
    await begun.wait()
    reception.handOver()
    await cancelled.wait()
    await notes.waitForFailure()
    #expect(notes.failures == ["hanging: late"])
    #expect(recorder.receptions.map(\.content.body) == ["secret 1"])
    let result = try #require(recorder.receptions.first)
    guard case .opened = result.outcome else {
      Issue.record("opened, whatever came of the step")
      return
    }
  }

  @Test("steps that block their threads hold no deadline up")
  func blocking() async throws {
    let gate = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)
    let blocking = EnrichmentStep("blocking") { _, _ in
      begun.signal()
      Self.wait(for: gate)
    }
    let count = 20
    for _ in 0..<count { _ = try start([blocking]) }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        for _ in 0..<count { begun.wait() }
        continuation.resume()
      }
    }
    clock.advance(by: Receiver.softDeadline)
    for _ in 0..<count { await recorder.wait() }
    #expect(recorder.receptions.map(\.content.body) == Array(repeating: "secret", count: count))
    for _ in 0..<count { gate.signal() }
  }

  private static func wait(for gate: DispatchSemaphore) { gate.wait() }

  @Test("a step is not asked about a message that does not open")
  func degraded() async throws {
    var draft = Draft()
    draft.json = "{}"
    #expect(try await content([Self.appending(" 1")], draft)?.body == "(Encrypted)")
  }

  @Test(
    "a step runs once, and not on a repetition, whether it is shown or not",
    arguments: [
      (DuplicateRule.quietly, "secret"), (.placeholder, "(Encrypted)"), (.suppress, ""),
    ])
  func repetition(rule: DuplicateRule, body: String) async throws {
    var receiver = parties.receiver(duplicates: rule, clock: clock)
    receiver.steps = [Self.appending(" 1")]
    let push = try parties.push()
    _ = await receiver.receive(push)
    #expect(await receiver.receive(push).content.body == body)
  }
}
