// A backend's queue: its orders are sealed as they come, on all cores, and sent.

import PushSealer

// snippet.hide
protocol APNsClient: Sendable {
  func send(_ payload: [UInt8], headers: [(name: String, value: String)], to token: String) async throws
}

// snippet.show
/// What the queue holds; it comes back with its sealed push.
///
/// A retry has the same id and time of issue.
struct Order: Sealable {
  var id: MessageID
  var issuedAt: UnixTime
  var token: DeviceToken
  var recipient: Recipient
  var text: String

  var sealJob: SealJob {
    SealJob(
      .notification(RemoteNotification(title: "Ada", body: text)), to: recipient, messageID: id, at: issuedAt)
  }
}

/// Sends what can be sealed; at most a hundred pushes are on their way to APNs at once.
///
/// A push that fails costs no other one: its order is for the queue to try again.
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
          do {
            try await client.send(push.payload, headers: push.headers.fields, to: order.token.text)
          } catch {
            print("\(order.id.text) was not sent: \(error)")
          }
        }
      case .failure(let error): print("\(order.id.text) was not sealed: \(error)")
      }
    }
    try await sends.waitForAll()
  }
}
