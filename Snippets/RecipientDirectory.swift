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
  /// Writes a line if the one that is there has that serial, or, for null, if there is none; else throws, and the app
  /// tries again. Its columns `identity` and `token`, and its keys' ids, are unique.
  func write(_ registration: Registration, ofUser user: Int64, ifSerialIs serial: Int64?) async throws
}

enum EnrolmentFailure: Error {
  case name
}

// snippet.show
struct Users: RecipientDirectory {
  let topic: Topic
  let database: any Database

  /// Takes an enrolment that came from a user who is logged in, for the device of that name; at the login itself, with
  /// the challenge that the app got there.
  ///
  /// Only if this does not throw, the app is told that its keys were taken.
  func enrol(_ json: [UInt8], as name: String, of user: Int64, challenge: Challenge?) async throws {
    if let line = try await database.registration(name, ofUser: user) {
      var registration = try Registration(parsing: line)
      let serial = registration.enrolment.serial
      guard try registration.update(with: Enrolment(parsing: json, for: topic)) else { return }
      try await database.write(registration, ofUser: user, ifSerialIs: serial)
    } else {
      guard let challenge else { throw SignedSetError.notRegistered }
      let enrolment = try Enrolment(parsing: json, for: topic, challenge: challenge)
      guard let registration = Registration(name, enrolment) else { throw EnrolmentFailure.name }
      try await database.write(registration, ofUser: user, ifSerialIs: nil)
    }
  }

  func recipients(for user: Int64) async throws -> [EnrolledDevice] {
    try await database.registrations(ofUser: user).map { line in
      EnrolledDevice(try Registration(parsing: line))
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
