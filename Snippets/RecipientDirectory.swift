// A backend's own database as a directory of recipients: one notification to all devices of a person.

import PushEnvelope
import PushKeys
import PushPayload
import PushSealer

// snippet.hide
struct Row: Sendable {
  var token: [UInt8]
  var keys: [UInt8]
}

protocol Database: Sendable {
  func devices(ofUser user: Int64) async throws -> [Row]
}

// snippet.show
struct Users: RecipientDirectory {
  let database: any Database

  func recipients(for user: Int64) async throws -> [EnrolledDevice] {
    try await database.devices(ofUser: user).compactMap { row in
      guard let token = DeviceToken(row.token) else { return nil }
      return EnrolledDevice(token: token, keys: try? PublicKeySet(parsing: row.keys.span))
    }
  }
}

func greet(_ user: Int64, in users: Users, with sealer: Sealer, job: MessageID) async throws {
  let notification = RemoteNotification(title: "Ada", body: "Lunch at noon?")
  for push in try await sealer.seal(notification, to: user, in: users, messageID: job) {
    switch push.result {
    case .success(let sealed): print("send \(sealed.payload.count) bytes to \(push.device.token.text)")
    case .failure(let error): print("not to \(push.device.token.text): \(error)")
    }
  }
}
