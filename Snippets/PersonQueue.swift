// A backend's queue of messages to persons: each is sealed to all of the person's devices, on all cores, and sent.

import PushSealer

// snippet.hide
protocol APNsClient: Sendable {
  func send(_ payload: [UInt8], headers: [(name: String, value: String)], to token: String) async throws
}

/// What the queue holds.
struct Order: Sendable {
  var id: MessageID
  var person: String
  var text: String
}

// snippet.show
/// An order with the devices of its person; it comes back with a result for each of them.
struct AddressedOrder: FanOutSealable {
  var order: Order
  var devices: [EnrolledDevice]

  var fanOutJob: FanOutJob {
    FanOutJob(
      .notification(RemoteNotification(title: "Ada", body: order.text)), to: devices, messageID: order.id)
  }
}

func send(
  _ orders: some AsyncSequence<Order, any Error> & Sendable, to people: some RecipientDirectory<String>,
  with sealer: Sealer, through client: some APNsClient
) async throws {
  let addressed = orders.map { order in
    AddressedOrder(order: order, devices: try await people.recipients(for: order.person))
  }
  for try await sealed in sealer.seal(addressed) {
    for push in sealed.pushes {
      let token = push.device.token.text
      switch push.result {
      case .success(let sealed):
        try await client.send(sealed.payload, headers: sealed.headers.fields, to: token)
      case .failure(let error): print("\(sealed.job.order.id.text) was not sealed to \(token): \(error)")
      }
    }
  }
}
