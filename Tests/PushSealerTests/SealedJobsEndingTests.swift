import PushCore
import PushKeys
import PushSealer
import PushTesting
import TestSupport
import Testing

/// Input, workers and consumer all end; each test waits until nothing of them is left.
@Suite("Jobs that nobody waits for any more", .hangGuard)
struct SealedJobsEndingTests {
  /// Fires when nobody has the sealer: no reader, no worker and no iterator.
  private let isFree = Signal()
  private let job: SealJob

  init() throws {
    let recipient = try Device(.x25519ChaChaPoly).recipient
    job = SealJob(.notification(RemoteNotification(body: "Lunch?")), to: recipient, at: Device.now)
  }

  @available(iOS 18, macOS 15, visionOS 2, *)
  private func begin<Jobs>(_ jobs: Jobs) -> SealedJobs<Jobs>.Iterator
  where Jobs: AsyncSequence & Sendable, Jobs.Element == SealJob {
    let sealer = Sealer(topic: Device.topic, signer: nil, policy: SealingPolicy(), random: Fuse(isFree))
    return SealedJobs(jobs, sealer: sealer, coreCount: 2).makeAsyncIterator()
  }

  @Test("a consumer that is cancelled while the input is silent gets the end")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func cancelledInSilence() async {
    let input = SilentJobs(jobs: [])
    let consumer = Task {
      var results = begin(input)
      #expect(await results.next() == nil)
      #expect(await results.next() == nil)
    }
    await input.silence.wait()
    consumer.cancel()
    await consumer.value
    await input.end.wait()
    await isFree.wait()
  }

  @Test("a consumer that was cancelled gets the end, though there are results and the input waits for room")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func cancelledInAbundance() async throws {
    let input = CountedJobs(.max) { [job] _ in job }
    let isReady = Signal()
    let consumer = Task<Void, any Error> {
      var results = begin(input)
      let first = try await results.next()
      #expect(first != nil)
      await input.reading.wait(for: 256)
      isReady.fire()
      await Signal().wait()
      let end = try await results.next()
      #expect(end == nil)
    }
    await isReady.wait()
    consumer.cancel()
    try await consumer.value
    await input.reading.end.wait()
    await isFree.wait()
    #expect(input.reading.count <= 256)
  }

  @Test("a consumer that is cancelled before it asks reads nothing")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func cancelledBefore() async throws {
    let input = CountedJobs(.max) { [job] _ in job }
    let consumer = Task<Void, any Error> {
      await Signal().wait()
      var results = begin(input)
      let end = try await results.next()
      #expect(end == nil)
    }
    consumer.cancel()
    try await consumer.value
    await isFree.wait()
    #expect(input.reading.count == 0)
  }

  @Test("a consumer that is cancelled amid the work ends, wherever it is", arguments: 0..<20)
  @available(iOS 18, macOS 15, visionOS 2, *)
  func cancelledAtWork(after count: Int) async throws {
    let input = CountedJobs(.max) { [job] _ in job }
    let consumer = Task<Void, any Error> {
      var results = begin(input)
      while try await results.next() != nil { input.reading.give() }
    }
    await input.reading.wait(for: 1 + 5 * count)
    consumer.cancel()
    try await consumer.value
    await input.reading.end.wait()
    await isFree.wait()
  }

  @Test("letting the iterator go ends a silent input")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func droppedInSilence() async {
    let input = SilentJobs(jobs: [job])
    await takeOne(input)
    await input.silence.wait()
    await input.end.wait()
    await isFree.wait()
  }

  @Test("letting the iterator go ends an input that waits for room")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func droppedInAbundance() async {
    let input = CountedJobs(.max) { [job] _ in job }
    await takeOne(input) { await input.reading.wait(for: 256) }
    await input.reading.end.wait()
    await isFree.wait()
    #expect(input.reading.count <= 256)
  }

  @Test("the end of the input lets everything go, though the iterator is kept")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func ended() async throws {
    let input = CountedJobs(100) { [job] _ in job }
    var results = begin(input)
    while try await results.next() != nil { input.reading.give() }
    await input.reading.end.wait()
    await isFree.wait()
    #expect(try await results.next() == nil)
  }

  @available(iOS 18, macOS 15, visionOS 2, *)
  private func takeOne<Jobs>(_ jobs: Jobs, then wait: () async -> Void = {}) async
  where Jobs: AsyncSequence & Sendable, Jobs.Element == SealJob {
    var results = begin(jobs)
    let first = try? await results.next()
    #expect(first != nil)
    await wait()
  }
}
