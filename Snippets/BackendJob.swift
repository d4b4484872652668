// A backend's job: seal a notification to one device, and hand it to an APNs client.

import PushSealer

// snippet.hide
struct Device: Sendable {
  var token: String
  var enrolledKeys: [UInt8]
}

protocol APNsClient: Sendable {
  func send(_ payload: [UInt8], headers: [(name: String, value: String)], to token: String) async throws
}

// snippet.show
func notify(_ device: Device, through client: some APNsClient) async throws {
  let sender = try KeyFile(path: "sender.jwks").load()
  let sealer = Sealer(topic: try Topic("com.example.app"), signingKey: try sender.signingKey())
  let recipient = try PublicKeySet(parsing: device.enrolledKeys).recipient()
  let push = try sealer.seal(RemoteNotification(title: "Ada", body: "Lunch at noon?"), to: recipient)
  try await client.send(push.payload, headers: push.headers.fields, to: device.token)
}
