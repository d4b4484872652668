import Locks
import PushCore
import PushEnrolment
import PushKeys
import PushSealer
import PushTesting
import TestSupport
import Testing

@Suite("Jobs to persons that come one after another", .hangGuard)
struct SealedFanOutsTests {
  private let sealer: Sealer

  init() throws { sealer = try Backend().sealer() }

  @available(iOS 18, macOS 15, visionOS 2, *)
  private func enrolled(_ device: Device, _ number: Int) -> EnrolledDevice {
    EnrolledDevice(address: Device.address(number), keys: try? device.keys.publicKeys)
  }

  @available(iOS 18, macOS 15, visionOS 2, *)
  private func job(_ body: String, to devices: [EnrolledDevice]) -> FanOutJob {
    FanOutJob(.notification(RemoteNotification(body: body)), to: devices, at: Device.now)
  }

  @available(iOS 18, macOS 15, visionOS 2, *)
  private func sealed<Jobs>(_ jobs: Jobs, cores: Int = 2) -> SealedFanOuts<Jobs>
  where Jobs: AsyncSequence & Sendable, Jobs.Element: FanOutSealable {
    SealedFanOuts(jobs, sealer: sealer, coreCount: cores)
  }

  @Test("each job's results are in its place, one for each device, in order", arguments: [1, 2, 4])
  @available(iOS 18, macOS 15, visionOS 2, *)
  func order(cores: Int) async throws {
    let devices = [Device(.x25519ChaChaPoly), Device(.p256AESGCM), Device(.x25519ChaChaPoly)]
    // Persons with no device, with one, with two and with three.
    let input = (0..<200).map { number in
      job("Message \(number)", to: devices.prefix(number % 4).enumerated().map { enrolled($1, $0) })
    }
    var number = 0
    for try await done in sealed(stream(input), cores: cores) {
      #expect(done.job.messageID == input[number].messageID)
      #expect(done.pushes.map(\.device) == input[number].devices)
      for (device, push) in zip(devices, done.pushes) {
        let content = try device.open(try push.addressedPush.push)
        #expect(text(content.content) == #"{"aps":{"alert":{"body":"Message \#(number)"}}}"#)
      }
      number += 1
    }
    #expect(number == input.count)
  }

  @Test("each device has the id that the fan-out of one message gives it")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func identities() async throws {
    let devices = [Device(.x25519ChaChaPoly), Device(.p256AESGCM)].enumerated().map { enrolled($1, $0) }
    let input = job("Lunch?", to: devices)
    let alone = sealer.seal(
      RemoteNotification(body: "Lunch?"), to: devices, messageID: input.messageID, at: Device.now)
    for try await done in sealed(stream([input])) {
      let ids = try done.pushes.map { try $0.addressedPush.push.headers.messageID }
      #expect(try ids == alone.map { try $0.addressedPush.push.headers.messageID })
      let thumbprints = try devices.map { try #require($0.keys).recipient(at: Device.now).thumbprint }
      #expect(ids == thumbprints.map { input.messageID.derived(for: $0) })
    }
  }

  @Test("a device that fails costs neither the others nor the next person")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func failures() async throws {
    let good = Device(.x25519ChaChaPoly)
    var elsewhere = enrolled(good, 3)
    elsewhere.address = .apns(Device.address(3, topic: try Topic("com.example.other")))
    let keyless = EnrolledDevice(address: Device.address(9), keys: nil)
    let input = [
      job("one", to: [keyless, enrolled(good, 1), elsewhere]), job("two", to: [enrolled(good, 2)]),
    ]
    var results: [[DeviceError?]] = []
    for try await done in sealed(stream(input)) {
      results.append(
        done.pushes.map { push in if case .failure(let error) = push.result { error } else { nil } })
    }
    #expect(results == [[.noKeys, nil, .otherTopic], [nil]])
  }

  @Test("a person with a thousand devices is one element, and so is one with none")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func many() async throws {
    let device = Device(.x25519ChaChaPoly)
    let input = [
      job("none", to: []), job("all", to: (0..<1000).map { enrolled(device, $0) }), job("none", to: []),
    ]
    var counts: [Int] = []
    for try await done in sealed(stream(input)) {
      counts.append(done.pushes.count)
      #expect(Set(done.pushes.map(\.device.address.token)).count == done.pushes.count)
      #expect(done.pushes.allSatisfy { (try? $0.addressedPush.push) != nil })
    }
    #expect(counts == [0, 1000, 0])
  }

  /// A chunk is full at 64 devices, and a core is two chunks ahead.
  @Test("the input is read ahead by devices, not by persons")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func bounds() async throws {
    let device = Device(.x25519ChaChaPoly)
    let devices = (0..<64).map { enrolled(device, $0) }
    let reading = Reading()
    let input = AsyncStream(unfolding: { [job] () -> FanOutJob? in
      guard reading.count < 50 else { return nil }
      reading.read()
      return job("Lunch?", devices)
    })
    var results = sealed(input, cores: 1).makeAsyncIterator()
    for _ in 0..<50 {
      _ = await results.next()
      reading.give()
    }
    // Two chunks that wait, the one that is in use, and the one that the reader has in hand.
    #expect(reading.maximumAhead <= 4)
  }

  @Test("what the caller keeps beside a job comes back; a cancelled consumer gets the end")
  @available(iOS 18, macOS 15, visionOS 2, *)
  func ends() async throws {
    struct Order: FanOutSealable {
      var number: Int
      var fanOutJob: FanOutJob
    }
    let devices = [enrolled(Device(.x25519ChaChaPoly), 1)]
    let orders = (0..<5).map { Order(number: $0, fanOutJob: job("Lunch?", to: devices)) }
    var numbers: [Int] = []
    for try await done in sealer.seal(stream(orders)) { numbers.append(done.job.number) }
    #expect(numbers == [0, 1, 2, 3, 4])

    let silent = AsyncStream<FanOutJob> { _ in }
    let consumer = Task { [sealer] in
      var results = sealer.seal(silent).makeAsyncIterator()
      return await results.next() == nil
    }
    consumer.cancel()
    #expect(await consumer.value)
  }

  @available(iOS 18, macOS 15, visionOS 2, *)
  private func stream<Element: Sendable>(_ elements: [Element]) -> AsyncStream<Element> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }
}
