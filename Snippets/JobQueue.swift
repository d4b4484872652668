// A backend's queue: its orders are sealed as they come, on all cores, and sent.

import PushSealer

// snippet.hide
protocol APNsClient: Sendable {
  func send(_ payload: [UInt8], headers: [(name: String, value: String)], to token: String) async throws
}

// snippet.show
/// What the queue holds; it comes back with its sealed push.
struct Order: Sealable {
  var id: MessageID
  var token: DeviceToken
  var recipient: Recipient
  var text: String

  var sealJob: SealJob {
    SealJob(.notification(RemoteNotification(title: "Ada", body: text)), to: recipient, messageID: id)
  }
}

/// Sends what can be sealed; at most a hundred pushes are on their way to APNs at once.
func send(
  _ orders: some AsyncSequence<Order, any Error> & Sendable, with sealer: Sealer,
  through client: some APNsClient
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { sends in
    var count = 0
    for try await sealed in sealer.seal(orders) {
      let order = sealed.job
      switch sealed.result {
      case .success(let push):
        if count < 100 { count += 1 } else { try await sends.next() }
        sends.addTask {
          try await client.send(push.payload, headers: push.headers.fields, to: order.token.text)
        }
      case .failure(let error): print("\(order.id.text) was not sealed: \(error)")
      }
    }
    try await sends.waitForAll()
  }
}
