import PushEnrolment
import Glibc
import PushStore
import PushStorePostgres

/// Measures a store in a new SQLite file, or in a new PostgreSQL database: `stores FILE|CONNECTION JOBS DEVICES [sealed]`.
///
/// It prints how many jobs a second it enqueues, and leases and acknowledges, in batches of several sizes; what a lease
/// takes beside none, a tenth of `JOBS`, and `JOBS` others that wait; and how many persons with two devices each it looks up, of `DEVICES` devices.
@main
enum Stores {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let isSealed = arguments.last == "sealed"
    guard let place = arguments.first, numbers.count == 2, arguments.count == (isSealed ? 4 : 3) else {
      print("usage: stores FILE|CONNECTION JOBS DEVICES [sealed]")
      exit(64)
    }
    let isServer = place.contains("=") || place.contains("://")
    let key = isSealed ? RowKey() : nil
    let store: any Store =
      isServer
      ? try await PostgresStore(connectionString: place, rowKey: key)
      : try await SQLiteStore(path: place, rowKey: key)
    // What waits is left alone.
    let isEmpty = try await store.lease(atMost: 1, for: .seconds(1), sender: nil).isEmpty
    for size in [1, 100, 500] where isEmpty {
      try await measureQueue(store, by: size, count: size == 1 ? 2_000 : 50_000)
    }
    try await measureLeases(store, beside: numbers[0])
    try await measureDirectory(store, devices: numbers[1])
  }

  private static let payload: JSONObject = ["aps": ["alert": ["title": "Ada", "body": "Lunch at noon?"]]]

  private static func measureQueue(_ store: any Store, by size: Int, count: Int) async throws {
    let jobs = try (0..<count).map { try Job(payload, to: "person \($0)") }
    let enqueued = try await seconds {
      for start in stride(from: 0, to: count, by: size) {
        try await store.enqueue(Array(jobs[start..<start + size]))
      }
    }
    let done = try await seconds {
      while case let leased = try await store.lease(atMost: size, for: .seconds(60), sender: nil),
        !leased.isEmpty
      {
        try await store.acknowledge(leased.map(\.lease))
      }
    }
    print("by \(size): enqueued \(rate(count, enqueued)), leased and acknowledged \(rate(count, done))")
  }

  private static func measureLeases(_ store: any Store, beside count: Int) async throws {
    let before = try await store.statistics()
    var (waiting, first) = (before.ready + before.delayed, 0.0)
    // Who wants more than can be enqueued in a reasonable time fills the store in SQL.
    for count in waiting > 0 ? [waiting] : [0, count / 10, count] {
      try await enqueue(count - waiting, in: store)
      waiting = count
      let time = try await timeOfLease(store)
      if first == 0 { first = time }
      let ratio = Double(Int(time / first * 100)) / 100
      print("beside \(count): a lease of 100 in \(milliseconds(time)), \(ratio) of the first")
    }
    print("counting: \(milliseconds(try await seconds { _ = try await store.statistics() }))")
  }

  /// Lets jobs wait of which half are delayed, and half are ready and the least urgent.
  private static func enqueue(_ count: Int, in store: any Store) async throws {
    let later = UnixTime.now.advanced(by: .seconds(86_400))
    for start in stride(from: 0, to: count, by: 10_000) {
      try await store.enqueue(
        (start..<min(start + 10_000, count)).map { number in
          try Job(
            payload, to: "person \(number)", priority: .last,
            notBefore: number.isMultiple(of: 2) ? later : nil)
        })
    }
  }

  /// The median of a hundred leases of what is more urgent.
  private static func timeOfLease(_ store: any Store) async throws -> Double {
    var times: [Double] = []
    for _ in 0..<100 {
      try await store.enqueue((0..<100).map { _ in try Job(payload, to: "ada") })
      var leased: [LeasedJob] = []
      times.append(
        try await seconds { leased = try await store.lease(atMost: 100, for: .seconds(60), sender: nil) })
      try await store.acknowledge(leased.map(\.lease))
    }
    return times.sorted()[50]
  }

  private static func measureDirectory(_ store: any Store, devices count: Int) async throws {
    // As with jobs: who wants many fills the directory in SQL.
    if try await store.devices(after: nil, atMost: 1).isEmpty {
      for start in stride(from: 0, to: count, by: 100) {
        _ = try await store.apply((start..<start + 100).map { .add(try registration($0)) })
      }
    }
    let persons = (0..<count / 2).map { "person \($0)" }.shuffled()
    let time = try await seconds {
      for start in stride(from: 0, to: persons.count, by: 100) {
        _ = try await store.devices(of: Array(persons[start..<min(start + 100, persons.count)]))
      }
    }
    print("persons looked up, of \(count) devices: \(rate(persons.count, time))")
  }

  /// A device that has proven its key and its token.
  private static func registration(_ number: Int) throws -> Registration {
    let (audience, now) = (try Audience("https://push.example.com"), UnixTime.now)
    var keys = try DeviceKeys(
      device: KeySet(generating: .device, at: now), identity: KeySet(generating: .identity, at: now))
    let token = withUnsafeBytes(of: UInt64(number)) {
      DeviceToken(Array($0) + [UInt8](repeating: 0, count: 24))
    }
    let address = DeviceAddress(topic: try Topic("com.example.app"), environment: .production, token: token!)
    var registration = try Registration(
      name: "device \(number)", enrolment: keys.enrol(address: address, for: audience, at: now))
    while let pending = registration.pending {
      let key = pending.recipient.thumbprint
      let answer = try keys.answer(pending.request, openedBy: key, address: address, for: audience, at: now)
        .get()
      try registration.update(with: answer)
    }
    try registration.assign(to: "person \(number / 2)")
    return registration
  }

  private static func seconds(_ work: () async throws -> Void) async throws -> Double {
    let time = try await ContinuousClock().measure { try await work() }
    return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  }

  private static func rate(_ count: Int, _ seconds: Double) -> String {
    "\(Int(Double(count) / seconds)) a second"
  }

  private static func milliseconds(_ seconds: Double) -> String { "\(Double(Int(seconds * 10_000)) / 10) ms" }
}
