import PushCore
import PushKeys
import PushSealer
import TestSupport
import Testing

@Suite("Jobs that come one after another", .hangGuard)
struct SealedJobsTests {
  private let device = Device(.x25519ChaChaPoly)
  private let sealer: Sealer
  private let recipient: Recipient

  init() throws {
    sealer = try Backend().sealer(isSigned: false)
    recipient = try device.recipient
  }

  /// A job; one without a body cannot be sealed.
  @available(iOS 18, macOS 15, visionOS 2, *)
  private func job(_ body: String?, to recipient: Recipient? = nil) -> SealJob {
    let notification = body.map { RemoteNotification(body: $0) } ?? RemoteNotification()
    return SealJob(.notification(notification), to: recipient ?? self.recipient, at: Device.now)
  }

  @available(iOS 18, macOS 15, visionOS 2, *)
  private func sealed<Jobs>(_ jobs: Jobs, cores: Int) -> SealedJobs<Jobs>
  where Jobs: AsyncSequence & Sendable, Jobs.Element: Sealable {
    SealedJobs(jobs, sealer: sealer, coreCount: cores)
  }

  @Test("results are in the order of the jobs, though some take longer", arguments: [1, 2, 4])
  @available(iOS 18, macOS 15, visionOS 2, *)
  func order(cores: Int) async throws {
    // What cannot be sealed is quick: later chunks are ready before earlier ones.
    let isSealed = { @Sendable (number: Int) in number < 300 || number.isMultiple(of: 100) }
    let input = (0..<3000).map { job(isSealed($0) ? "\($0)" : nil) }
    var identities: [MessageID] = []
    for try await done in sealed(CountedJobs(input.count) { input[$0] }, cores: cores) {
      let sealed = try? done.result.get().headers.messageID
      #expect(sealed == (isSealed(identities.count) ? done.job.messageID : nil))
      identities.append(done.job.messageID)
    }
    #expect(identities == input.map(\.messageID))
  }

  @Test("each result opens as its job says, whatever device it is for")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func content() async throws {
    let devices = [device, Device(.p256AESGCM), Device(.x25519ChaChaPoly)]
    let recipients = try devices.map { try $0.recipient }
    let input = CountedJobs(60) { [job] in job("Message \($0)", recipients[$0 % 3]) }
    var number = 0
    for try await done in try Backend().sealer().seal(input) {
      let opened = try devices[number % 3].open(try done.result.get())
      #expect(text(opened.content) == #"{"aps":{"alert":{"body":"Message \#(number)"}}}"#)
      #expect(opened.claims.messageID == done.job.messageID)
      number += 1
    }
    #expect(number == input.count)
  }

  @Test("what the caller keeps beside a job comes back with its result")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func companion() async throws {
    let (orders, feed) = AsyncStream.makeStream(of: Order.self)
    for number in 0..<100 { feed.yield(Order(number: number, sealJob: job(number == 7 ? nil : "\(number)"))) }
    feed.finish()
    var number = 0
    for await done in sealed(orders, cores: 2) {
      #expect(done.job.number == number)
      let opened = try? device.open(done.result.get()).claims.messageID
      #expect(opened == (number == 7 ? nil : done.job.sealJob.messageID))
      number += 1
    }
    #expect(number == 100)
  }

  private struct Order: Sealable {
    let number: Int
    let sealJob: SealJob
  }

  @Test("a job that cannot be sealed harms no other")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func failure() async throws {
    let input = CountedJobs(200) { [job] in job($0 == 100 ? nil : "Lunch?", nil) }
    var failures: [Int: SealError] = [:]
    var number = 0
    for try await done in sealed(input, cores: 2) {
      if case .failure(let error) = done.result { failures[number] = error }
      number += 1
    }
    #expect(failures == [100: .nothingToShow])
    #expect(number == 200)
  }

  @Test("an error of the input comes behind the results before it, and once", arguments: [0, 1, 500])
  @available(iOS 18, macOS 15, visionOS 2, *)
  func inputFailure(position: Int) async throws {
    let input = CountedJobs(1000, failsAt: position) { [job] _ in job("Lunch?", nil) }
    var results = sealed(input, cores: 2).makeAsyncIterator()
    var count = 0
    do throws(InputError) {
      while let done = try await results.next() { count += (try? done.result.get()) == nil ? 0 : 1 }
      Issue.record("the error was swallowed")
    } catch {
      #expect(error == InputError(position: position))
    }
    #expect(count == position)
    #expect(try await results.next() == nil)
  }

  @Test("an input without jobs")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func empty() async throws {
    var results = sealed(CountedJobs(0) { [job] _ in job("Lunch?", nil) }, cores: 2).makeAsyncIterator()
    #expect(try await results.next() == nil)
    #expect(try await results.next() == nil)
  }

  @Test("a job that comes alone is not kept waiting for others")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func trickle() async throws {
    let (jobs, feed) = AsyncStream.makeStream(of: SealJob.self)
    var results = sealed(jobs, cores: 2).makeAsyncIterator()
    for number in 0..<20 {
      let next = job("\(number)")
      feed.yield(next)
      #expect(await results.next()?.job.messageID == next.messageID)
    }
    feed.finish()
    #expect(await results.next() == nil)
  }

  @Test("nothing is read before a result is asked for")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func notAsked() async throws {
    let input = CountedJobs(10) { [job] _ in job("Lunch?", nil) }
    var results = sealed(input, cores: 2).makeAsyncIterator()
    for _ in 0..<1000 { await Task.yield() }
    #expect(input.reading.count == 0)
    #expect(try await results.next() != nil)
  }

  @Test("the input is read 128 jobs a core ahead, and no further", arguments: [1, 2])
  @available(iOS 18, macOS 15, visionOS 2, *)
  func bound(cores: Int) async throws {
    let input = CountedJobs(2000) { [job] _ in job(nil, nil) }
    var results = sealed(input, cores: cores).makeAsyncIterator()
    var count = 0
    while try await results.next() != nil {
      input.reading.give()
      count += 1
      guard [1, 1000].contains(count) else { continue }
      // The consumer holds still; whoever reads too far has the time for it.
      await input.reading.wait(for: count == 1 ? 128 * cores : 1000)
      for _ in 0..<1000 { await Task.yield() }
    }
    #expect(count == 2000)
    #expect((128 * cores - 1...128 * cores).contains(input.reading.maximumAhead))
  }
}
