import Footprint
import Glibc
import PushDelivery
import PushCore
import PushEnrolment
import PushKeys
import PushSealer
import PushStore
import PushStorePostgres
import PushWorker

/// Works off a queue against a server on this machine, with a store in a file or at a PostgreSQL server.
///
///     work ROOT KEY PORT STORE rounds COUNT
///
/// prints a line of JSON for each of three rounds: how long sealing `COUNT` messages takes by itself, and how long a worker
/// takes for as many jobs from the lease to the acknowledgement, with the CPU of both, and the memory allocated at each
/// fifth of the jobs.
///
///     work ROOT KEY PORT STORE latency COUNT
///
/// prints how long it takes from a job enqueued into an empty queue to its lease: the median and the longest, in seconds.
///
///     work ROOT KEY PORT STORE fill COUNT
///     work ROOT KEY PORT STORE drain
///
/// enqueue jobs, and work until there are none: several processes may do it at once.
@main
struct Work {
  static let persons = 500

  let store: any Store
  let client: APNsClient
  let senders = KeySet(generating: .sender, at: .now)
  let topic: Topic

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 5, let port = UInt16(arguments[3]) else { return usage() }
    let work = try await Work(arguments[1], arguments[2], port, arguments[4])
    switch (arguments[5], arguments.count > 5 ? arguments.last.flatMap { Int($0) } : nil) {
    case ("rounds", let count?):
      try await work.register()
      for _ in 0..<3 { try await work.round(count) }
    case ("latency", let count?):
      try await work.register()
      try await work.measureLatency(count)
    case ("fill", let count?):
      try await work.register()
      try await work.enqueue(count)
    case ("drain", _): try await work.drain()
    default: usage()
    }
  }

  private static func usage() {
    print("usage: work ROOT KEY PORT STORE rounds|latency|fill COUNT\n       work ROOT KEY PORT STORE drain")
    exit(64)
  }

  private init(_ root: String, _ key: String, _ port: UInt16, _ place: String) async throws {
    topic = try Topic("com.example.app")
    store =
      place.hasPrefix("postgresql://")
      ? try await PostgresStore(connectionString: place) : try await SQLiteStore(path: place)
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: "localhost", port: port, address: "127.0.0.1")
    configuration.additionalRoot = try contents(of: root)
    client = try APNsClient(
      token: ProviderToken(p8: contents(of: key), keyID: "ABCDE12345", teamID: "FGHIJ67890"),
      configuration: configuration)
  }

  // MARK: What is measured

  private func round(_ count: Int) async throws {
    let bare = try await seal(count)
    try await enqueue(count)
    var allocated: [Int] = []
    let (time, cpu) = try await work { worker in
      for fifth in 1...5 {
        while worker.metrics.acknowledged < count * fifth / 5 { try await Task.sleep(for: .milliseconds(5)) }
        allocated.append(Footprint.allocated)
      }
    }
    print(
      """
      {"sealing":\(bare.time),"sealing_cpu":\(bare.cpu),"working":\(time),"working_cpu":\(cpu),\
      "resident":\(Footprint.resident),"allocated":\(allocated)}
      """)
    fflush(nil)
  }

  private func measureLatency(_ count: Int) async throws {
    var times: [Double] = []
    _ = try await work { worker in
      for number in 0..<count {
        while worker.metrics.acknowledged < number { try await Task.sleep(for: .milliseconds(1)) }
        // At any moment between two looks at the queue.
        try await Task.sleep(for: .milliseconds(Int.random(in: 50...100)))
        let start = ContinuousClock.now
        try await enqueue(1)
        while worker.metrics.leased <= number { try await Task.sleep(for: .milliseconds(1)) }
        times.append((ContinuousClock.now - start) / .seconds(1))
      }
    }
    times.sort()
    print(#"{"median":\#(times[times.count / 2]),"longest":\#(times.last ?? 0)}"#)
  }

  private func drain() async throws {
    var configuration = WorkerConfiguration()
    configuration.stopsWhenIdle = true
    let worker = try Worker(store: store, apns: client, senders: senders, configuration: configuration)
    let (start, before) = (ContinuousClock.now, Footprint.processorTime)
    try await worker.run()
    let time = (ContinuousClock.now - start) / .seconds(1)
    print(
      """
      {"jobs":\(worker.metrics.acknowledged),"working":\(time),\
      "working_cpu":\(Footprint.processorTime - before)}
      """)
  }

  /// Registers devices whose keys are proven.
  private func register() async throws {
    let audience = try Audience("https://push.example.com")
    for number in 0..<Self.persons {
      let keys = InMemoryKeyStore()
      let token = DeviceToken((0..<32).map { _ in UInt8.random(in: 0...255) })!
      let address = DeviceAddress(topic: topic, environment: .sandbox, token: token)
      let name = "person \(number)"
      let first = try await store.accept(
        keys.enrol(address: address, for: audience), as: name, person: name, mayBeNew: true
      ).get()
      var pending = first.pending
      while let asked = pending {
        let answer = try keys.answer(
          asked.request, openedBy: asked.recipient.thumbprint, address: address, for: audience)!.get()
        pending = try await store.accept(answer, as: name, mayBeNew: false).get().pending
      }
    }
  }

  private static func payload(_ number: Int) -> JSONObject {
    ["aps": ["alert": ["title": "Ada", "body": .string("Lunch at noon? \(number)")]]]
  }

  private func enqueue(_ count: Int) async throws {
    for start in stride(from: 0, to: count, by: 1000) {
      try await store.enqueue(
        (start..<min(start + 1000, count)).map {
          try Job(Self.payload($0), to: "person \($0 % Self.persons)")
        })
    }
  }

  /// The time and the CPU of sealing alone, in seconds.
  private func seal(_ count: Int) async throws -> (time: Double, cpu: Double) {
    let devices = try await store.devices(of: (0..<Self.persons).map { "person \($0)" }).map { $0[0] }
    let recipients = try devices.map { try $0.device.keys!.recipient() }
    let sealer = Sealer(topic: topic, signingKey: try senders.signingKey())
    let (start, before) = (ContinuousClock.now, Footprint.processorTime)
    for first in stride(from: 0, to: count, by: 100) {
      let jobs = (first..<min(first + 100, count)).map {
        SealJob(.payload(Self.payload($0)), to: recipients[$0 % Self.persons])
      }
      _ = sealer.seal(jobs)
    }
    return ((ContinuousClock.now - start) / .seconds(1), Footprint.processorTime - before)
  }

  /// The time and the CPU, in seconds, of a worker that works as long as `body` does not return.
  private func work(
    _ body: (Worker) async throws -> Void
  ) async throws -> (time: Double, cpu: Double) {
    let worker = try Worker(store: store, apns: client, senders: senders)
    let (start, before) = (ContinuousClock.now, Footprint.processorTime)
    async let running: Void = worker.run()
    try await body(worker)
    let result = ((ContinuousClock.now - start) / .seconds(1), Footprint.processorTime - before)
    worker.stop()
    try await running
    return result
  }
}
