import Footprint
import Glibc
import PushDelivery
import PushCore
import PushKeys
import PushSealer

/// Seals pushes and sends them to a server on this machine: `deliver [--sequence] ROOT KEY PORT COUNT AT-A-TIME [SECONDS]`.
///
/// It prints a line of JSON: what was accepted, the times of sealing and of sending, the CPU of both, and the memory. With
/// `SECONDS`, it repeats the run until that time is over, and prints a line for each. As many tasks as `AT-A-TIME` send
/// one push after the other; with `--sequence`, one task sends all of them as a sequence.
@main
enum Deliver {
  static func main() async throws {
    let isSequence = CommandLine.arguments.dropFirst().first == "--sequence"
    let arguments = CommandLine.arguments.dropFirst(isSequence ? 2 : 1)
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }
    guard (5...6).contains(arguments.count), numbers.count == arguments.count - 2,
      let port = UInt16(exactly: numbers[0])
    else {
      print("usage: deliver [--sequence] ROOT KEY PORT COUNT AT-A-TIME [SECONDS]")
      exit(64)
    }
    let files = Array(arguments.prefix(2))
    let sender = try Sender(
      root: contents(of: files[0]), key: contents(of: files[1]), port: port, isSequence: isSequence)
    let end = ContinuousClock.now + .seconds(numbers.count == 4 ? numbers[3] : 0)
    repeat { try await sender.run(numbers[1], atATime: numbers[2]) } while ContinuousClock.now < end
  }
}

/// A client with a device to seal to.
struct Sender {
  private let topic: Topic
  private let address: DeviceAddress
  private let recipient: Recipient
  private let sealer: Sealer
  private let client: APNsClient
  private let isSequence: Bool

  init(root: [UInt8], key: [UInt8], port: UInt16, isSequence: Bool) throws {
    self.isSequence = isSequence
    topic = try Topic("com.example.app")
    address = DeviceAddress(topic: topic, environment: .sandbox, token: try DeviceToken("0123456789abcdef"))
    recipient = try KeySet(generating: .device, at: .now).publicKeys.recipient()
    sealer = Sealer(topic: topic, signingKey: try KeySet(generating: .sender, at: .now).signingKey())
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: "localhost", port: port, address: "127.0.0.1")
    configuration.additionalRoot = root
    configuration.retries.firstDelay = .milliseconds(10)
    configuration.retries.maximumDelay = .milliseconds(100)
    configuration.retries.maximumAttempts = 100
    client = try APNsClient(
      token: ProviderToken(p8: key, keyID: "ABCDE12345", teamID: "FGHIJ67890"), configuration: configuration)
  }

  func run(_ count: Int, atATime: Int) async throws {
    let (start, first) = (ContinuousClock.now, Footprint.processorTime)
    let job = SealJob(.notification(RemoteNotification(title: "Ada", body: "Lunch at noon?")), to: recipient)
    let pushes = sealer.seal([SealJob](repeating: job, count: count)).compactMap { try? $0.get() }
    let (middle, second) = (ContinuousClock.now, Footprint.processorTime)
    let accepted =
      isSequence ? await sendSequence(of: pushes, atATime: atATime) : await send(pushes, atATime: atATime)
    let (end, third) = (ContinuousClock.now, Footprint.processorTime)
    print(
      """
      {"accepted":\(accepted),"sealing":\((middle - start) / .seconds(1)),"sending":\((end - middle) / .seconds(1)),\
      "sealing_cpu":\(second - first),"sending_cpu":\(third - second),"resident":\(Footprint.resident),\
      "allocated":\(Footprint.allocated),"unknown":\(client.metrics.unknown)}
      """)
    fflush(nil)
  }

  private func send(_ pushes: [SealedNotification], atATime: Int) async -> Int {
    await withTaskGroup(of: Int.self) { group in
      for share in 0..<atATime {
        group.addTask {
          var accepted = 0
          for index in stride(from: share, to: pushes.count, by: atATime) {
            let response = try? await client.send(pushes[index], to: address)
            accepted += response?.isAccepted == true ? 1 : 0
          }
          return accepted
        }
      }
      return await group.reduce(0, +)
    }
  }

  private func sendSequence(of pushes: [SealedNotification], atATime: Int) async -> Int {
    var accepted = 0
    let jobs = Jobs(pushes: pushes, address: address)
    for await delivered in client.send(jobs, atATime: atATime) {
      if case .success(let response) = delivered.result, response.isAccepted { accepted += 1 }
    }
    return accepted
  }
}

/// Pushes that are all there from the beginning.
private struct Jobs: AsyncSequence, Sendable {
  typealias Element = AddressedPush

  let pushes: [SealedNotification]
  let address: DeviceAddress

  func makeAsyncIterator() -> Iterator { Iterator(jobs: self) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let jobs: Jobs
    private var next = 0

    fileprivate init(jobs: Jobs) { self.jobs = jobs }

    mutating func next() async -> AddressedPush? {
      guard next < jobs.pushes.count else { return nil }
      defer { next += 1 }
      return AddressedPush(jobs.pushes[next], to: jobs.address)
    }
  }
}
