private import Foundation
internal import PushNetwork
internal import PushCore
private import Synchronization

/// The stream of events that keeps a page up to date (HTML, "Server-sent events").
///
/// A browser that reads slowly gets only the latest state of each push, so that no more pushes wait than the log keeps.
struct PageEvents: Sendable {
  private let apns: APNsModel
  private let address: String
  private let isStopped: @Sendable () -> Bool

  /// The most pushes in one event.
  private static let batch = 200

  init(of apns: APNsModel, address: String, isStopped: @escaping @Sendable () -> Bool) {
    self.apns = apns
    self.address = address
    self.isStopped = isStopped
  }

  /// Writes events until the browser has gone, or the page is stopped.
  func stream(to connection: PlainConnection) {
    let news = News()
    // It subscribes before it reads the log, so that no push is missed.
    let updates = apns.updates()
    let pump = Task { for await push in updates { news.add(push) } }
    defer { pump.cancel() }
    let start: JSONObject = [
      "address": .string(address), "kept": .number(JSONNumber(max(apns.settings.loggedPushes, 1))),
    ]
    guard write(event: "start", json: start.encoded(), to: connection) else { return }
    var state: [UInt8] = []
    var pushes = apns.pushes
    while !isStopped() {
      let new = apns.pageState.encoded()
      guard new == state || write(event: "state", json: new, to: connection) else { return }
      state = new
      for first in stride(from: 0, to: pushes.count, by: Self.batch) {
        let rows = pushes[first...].prefix(Self.batch).map { JSONValue.object($0.row) }
        guard write(event: "pushes", json: JSONValue.array(rows).encoded(), to: connection) else { return }
      }
      pushes = news.next()
      // Writing a comment shows whether the browser has gone.
      guard !pushes.isEmpty || connection.write(":\n\n") else { return }
    }
  }

  private func write(event: String, json: [UInt8], to connection: PlainConnection) -> Bool {
    connection.write(Array("event: \(event)\ndata: ".utf8) + json + [10, 10])
  }

  /// The pushes that are new or have changed since the browser was last told.
  private final class News: Sendable {
    private let changed = Mutex<[Int: LoggedPush]>([:])
    private let isThere = DispatchSemaphore(value: 0)

    func add(_ push: LoggedPush) {
      let isFirst = changed.withLock { changed in
        changed[push.number] = push
        return changed.count == 1
      }
      if isFirst { isThere.signal() }
    }

    /// Waits for news, a second at most.
    func next() -> [LoggedPush] {
      _ = isThere.wait(timeout: .now() + .seconds(1))
      let news = changed.withLock { changed in
        defer { changed = [:] }
        return changed
      }
      return news.values.sorted { $0.number < $1.number }
    }
  }
}
