// A backend's own database: registers devices, and is a directory of recipients, one notification to all devices of a
// person.

import PushEnvelope
import PushKeys
import PushPayload
import PushSealer

// snippet.hide
protocol Database: Sendable {
  /// The lines of the user's devices.
  func registrations(ofUser user: Int64) async throws -> [[UInt8]]
  /// The line of one of them.
  func registration(_ name: String, ofUser user: Int64) async throws -> [UInt8]?
  /// Writes a line; its columns `identity` and `token`, and its keys' ids, are unique.
  func write(_ registration: Registration, ofUser user: Int64) async throws
}

// snippet.show
struct Users: RecipientDirectory {
  let topic: Topic
  let database: any Database

  /// What to do with an enrolment that came from a user who is logged in, for the device of that name.
  func enrol(_ json: [UInt8], as name: String, of user: Int64, challenge: Challenge) async throws {
    if let line = try await database.registration(name, ofUser: user) {
      var registration = try Registration(parsing: line.span)
      try registration.update(with: Enrolment(parsing: json.span, for: topic))
      try await database.write(registration, ofUser: user)
    } else {
      let enrolment = try Enrolment(parsing: json.span, for: topic, challenge: challenge)
      guard let registration = Registration(name, enrolment) else { return }
      try await database.write(registration, ofUser: user)
    }
  }

  func recipients(for user: Int64) async throws -> [EnrolledDevice] {
    try await database.registrations(ofUser: user).map { line in
      EnrolledDevice(try Registration(parsing: line.span))
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
