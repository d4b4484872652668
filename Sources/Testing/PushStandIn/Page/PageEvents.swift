private import Foundation
internal import PushNetwork
internal import PushCore
private import Synchronization

/// The stream of events that keeps a page up to date (HTML, "Server-sent events").
///
/// A browser that reads slowly gets of each push only the last that is known, so that no more waits than the log keeps.
struct PageEvents {
  private let apns: APNsModel
  private let address: String
  private let isStopped: () -> Bool

  /// The most pushes in one event.
  private static let batch = 200

  init(of apns: APNsModel, address: String, isStopped: @escaping () -> Bool) {
    (self.apns, self.address, self.isStopped) = (apns, address, isStopped)
  }

  /// Writes events until the browser has gone, or the page is stopped.
  func stream(to connection: LoopbackConnection) {
    let news = News()
    // It hears what comes before it looks at what came, so that nothing falls between.
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
      // A comment, so that a browser that has gone is noticed.
      guard !pushes.isEmpty || connection.write(":\n\n") else { return }
    }
  }

  private func write(event: String, json: [UInt8], to connection: LoopbackConnection) -> Bool {
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

    /// Waits for news, for a second at the most.
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
