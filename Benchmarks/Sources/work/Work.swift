import Footprint
import Glibc
import PushDelivery
import PushEnvelope
import PushKeys
import PushPayload
import PushSealer
import PushStore
import PushWorker

/// Works off a queue against a server on this machine: `work ROOT KEY PORT STORE COUNT`.
///
/// It prints a line of JSON for each round: how long sealing `COUNT` messages takes by itself, and how long a worker takes
/// for as many jobs from the claim to the acknowledgement, with the CPU of both and the memory.
@main
enum Work {
  static let persons = 500

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 5, let port = UInt16(arguments[3]), let count = Int(arguments[5]) else {
      print("usage: work ROOT KEY PORT STORE COUNT")
      exit(64)
    }
    let senders = KeySet(generating: .sender, at: .now)
    let topic = try Topic("com.example.app")
    let store = try await SQLiteStore(path: arguments[4])
    try await register(topic, in: store)
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: "localhost", port: port, address: "127.0.0.1")
    configuration.additionalRoot = try contents(of: arguments[1])
    let client = try APNsClient(
      token: ProviderToken(p8: contents(of: arguments[2]), keyID: "ABCDE12345", teamID: "FGHIJ67890"),
      configuration: configuration)
    for _ in 0..<3 {
      let bare = try await seal(count, topic, senders, store)
      let (time, cpu) = try await work(count, store, client, senders)
      print(
        """
        {"sealing":\(bare.time),"sealing_cpu":\(bare.cpu),"working":\(time),"working_cpu":\(cpu),\
        "resident":\(Footprint.resident),"allocated":\(Footprint.allocated)}
        """)
      fflush(nil)
    }
  }

  /// Registers devices whose keys are proven.
  private static func register(_ topic: Topic, in store: SQLiteStore) async throws {
    let audience = try Audience("https://push.example.com")
    for number in 0..<persons {
      let keys = InMemoryKeyStore()
      let token = DeviceToken((0..<32).map { _ in UInt8.random(in: 0...255) })!
      let address = DeviceAddress(topic: topic, environment: .sandbox, token: token)
      let name = "person \(number)"
      let first = try await store.accept(
        keys.enrol(at: address, for: audience), as: name, person: name, mayBeNew: true
      ).get()
      var pending = first.pending
      while let asked = pending {
        let answer = try keys.answer(
          asked.request, openedBy: asked.recipient.thumbprint, at: address, for: audience)!.get()
        pending = try await store.accept(answer, as: name, mayBeNew: false).get().pending
      }
    }
  }

  private static func payload(_ number: Int) -> JSONObject {
    ["aps": ["alert": ["title": "Ada", "body": .string("Lunch at noon? \(number)")]]]
  }

  /// The time and the CPU of sealing alone, in seconds.
  private static func seal(
    _ count: Int, _ topic: Topic, _ senders: KeySet, _ store: SQLiteStore
  ) async throws -> (time: Double, cpu: Double) {
    let devices = try await store.devices(of: (0..<persons).map { "person \($0)" }).map { $0[0] }
    let recipients = try devices.map { try $0.device.keys!.recipient() }
    let sealer = Sealer(topic: topic, signingKey: try senders.signingKey())
    return measure {
      for start in stride(from: 0, to: count, by: 100) {
        let jobs = (start..<min(start + 100, count)).map {
          SealJob(.payload(payload($0)), to: recipients[$0 % persons])
        }
        _ = sealer.seal(jobs)
      }
    }
  }

  /// The time and the CPU of a worker, in seconds.
  private static func work(
    _ count: Int, _ store: SQLiteStore, _ client: APNsClient, _ senders: KeySet
  ) async throws -> (time: Double, cpu: Double) {
    for start in stride(from: 0, to: count, by: 1000) {
      try await store.enqueue(
        (start..<min(start + 1000, count)).map { try Job(payload($0), to: "person \($0 % persons)") })
    }
    let worker = Worker(store, apns: client, senders: senders)
    let (start, before) = (ContinuousClock.now, Footprint.processorTime)
    async let running: Void = worker.run()
    while worker.metrics.acknowledged < count { try await Task.sleep(for: .milliseconds(5)) }
    let result = ((ContinuousClock.now - start) / .seconds(1), Footprint.processorTime - before)
    worker.stop()
    try await running
    return result
  }

  private static func measure(_ work: () -> Void) -> (time: Double, cpu: Double) {
    let (start, before) = (ContinuousClock.now, Footprint.processorTime)
    work()
    return ((ContinuousClock.now - start) / .seconds(1), Footprint.processorTime - before)
  }
}
