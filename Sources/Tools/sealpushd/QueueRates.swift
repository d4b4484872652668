internal import PushCommands
internal import PushCore
internal import PushStore

/// A queue at one time, and what happened in it since the look before.
struct QueueLook: Sendable {
  let queue: QueueStatistics
  /// How many jobs a second came, and how many left; nil at the first look.
  private(set) var rates: (enqueued: Double, done: Double)?

  private let time = UnixTime.now
  private let instant = ContinuousClock.now
  private let lastJob: Int64

  /// Looks at a store's queue.
  init(at store: any Store, after before: QueueLook?) async throws(ToolError) {
    (queue, lastJob) = try await storing { () async throws(StoreError) in
      (try await store.statistics(), try await store.lastJob()?.number ?? 0)
    }
    guard let before else { return }
    let seconds = max((instant - before.instant) / .seconds(1), 0.001)
    let enqueued = Double(lastJob) - Double(before.lastJob)
    // What came and is there no more has left. The numbers are asked for one after the other.
    let done = enqueued - Double(count - before.count)
    // A row that an application has numbered itself may be a jump to any number.
    rates = (min(max(enqueued, 0) / seconds, 1e15), min(max(done, 0) / seconds, 1e15))
  }

  private var count: Int { queue.ready + queue.delayed + queue.leased + queue.dead }

  // MARK: Lines

  /// The head of the lines.
  static let header = line(["READY", "OLDEST", "DELAYED", "LEASED", "DEAD", "IN/S", "OUT/S"], at: "TIME")

  /// It as a line of a table.
  var text: String {
    let age = queue.oldestReady.map { QueueStatistics.text(seconds: $0.components.seconds) } ?? "-"
    let counts = [queue.delayed, queue.leased, queue.dead].map(String.init)
    let speeds = [rates?.enqueued, rates?.done].map { $0.map(Self.number) ?? "-" }
    let clock = String(time.calendarText.suffix(8))
    return Self.line(["\(queue.ready)", age] + counts + speeds, at: clock)
  }

  /// It as an object.
  var json: JSONObject {
    var object = queue.json
    object["time"] = .string(time.iso8601)
    if let rates {
      object["enqueued_per_second"] = .number(JSONNumber(Int(rates.enqueued.rounded())))
      object["done_per_second"] = .number(JSONNumber(Int(rates.done.rounded())))
    }
    return object
  }

  private static func line(_ columns: [String], at time: String) -> String {
    let widths = [9, 8, 9, 8, 8, 8, 8]
    let padded = zip(columns, widths).map { text, width in
      String(repeating: " ", count: max(width - text.count, 1)) + text
    }
    return (time + String(repeating: " ", count: max(8 - time.count, 0)) + padded.joined()) + "\n"
  }

  /// A rate with a decimal if it is small.
  private static func number(_ rate: Double) -> String {
    let tenths = Int((rate * 10).rounded())
    let hasDecimal = tenths < 100 && !tenths.isMultiple(of: 10)
    return hasDecimal ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
  }
}

extension QueueLook {
  /// How many lines follow a head.
  private static let page = 20

  /// Prints a look at each interval, until a signal comes.
  static func watch(
    _ store: any Store, each interval: Duration, console: Console, asJSON: Bool
  ) async throws(ToolError) {
    try Interruption.watch()
    let looking = Task { () async -> ToolError? in
      do throws(ToolError) {
        try await look(at: store, each: interval, console: console, asJSON: asJSON)
        return nil
      } catch {
        return error
      }
    }
    Task {
      await Interruption.wait()
      looking.cancel()
    }
    if let error = await looking.value, !looking.isCancelled { throw error }
  }

  private static func look(
    at store: any Store, each interval: Duration, console: Console, asJSON: Bool
  ) async throws(ToolError) {
    var last: QueueLook?
    var lines = 0
    while !Task.isCancelled {
      let look = try await QueueLook(at: store, after: last)
      if !asJSON, lines.isMultiple(of: page) { try console.print(header) }
      try console.print(asJSON ? look.json.jsonLine : look.text)
      (last, lines) = (look, lines + 1)
      try? await Task.sleep(for: interval)
    }
  }
}
