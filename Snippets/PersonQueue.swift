// A backend's queue of messages to persons: each is sealed to all of the person's devices, on all cores, and sent.

import PushEnrolment
import PushSealer

// snippet.hide
protocol APNsClient: Sendable {
  func send(_ payload: [UInt8], headers: [(name: String, value: String)], to token: String) async throws
}

/// What the queue holds.
///
/// A retry has the same id and time of issue.
struct Order: Sendable {
  var id: MessageID
  var issuedAt: UnixTime
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
      .notification(RemoteNotification(title: "Ada", body: order.text)), to: devices, messageID: order.id,
      at: order.issuedAt)
  }
}

/// Sends what can be sealed.
///
/// A push that fails costs no other one: its order is for the queue to try again.
func send(
  _ orders: some AsyncSequence<Order, any Error> & Sendable, to people: some RecipientDirectory<String>,
  with sealer: Sealer, through client: some APNsClient
) async throws {
  let addressed = orders.map { order in
    AddressedOrder(order: order, devices: try await people.recipients(for: order.person))
  }
  for try await message in sealer.seal(addressed) {
    for push in message.pushes {
      let token = push.device.address.token.text
      do {
        let sealed = try push.addressedPush.push
        try await client.send(sealed.payload, headers: sealed.headers.fields, to: token)
      } catch {
        print("\(message.job.order.id.text) was not sent to \(token): \(error)")
      }
    }
  }
}
