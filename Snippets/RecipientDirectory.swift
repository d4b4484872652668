// A backend's own database: registers devices, and is a directory of recipients, one notification to all devices of a
// person.

import PushEnrolment
import PushSealer

// snippet.hide
protocol Database: Sendable {
  /// The lines of the user's devices.
  func registrations(ofUser user: Int64) async throws -> [[UInt8]]
  /// The line of one of them.
  func registration(_ name: String, ofUser user: Int64) async throws -> [UInt8]?
  /// Writes a line if the one that is there has that serial, or, for null, if there is none; else throws, and the app
  /// tries again. Identity, token and key ids of what is `proven` are unique; the token only if `hasToken`.
  ///
  /// Before that, in the same transaction, it removes every other line that `isSuperseded(by: registration)`, and writes
  /// every other line whose `yield(to: registration)` is true.
  func write(_ registration: Registration, ofUser user: Int64, ifSerialIs serial: Int64?) async throws
  /// Whether the user's login got this challenge, which is used up by the call.
  func spend(_ challenge: Challenge, ofUser user: Int64) async throws -> Bool
}

// snippet.show
struct Users: RecipientDirectory {
  let topic: Topic
  /// This backend's own name, which the app has built in.
  let audience: Audience
  let database: any Database

  /// Takes an enrolment that came from a user who is logged in, for the device of that name; at the login itself, with
  /// the challenge that the app got there.
  ///
  /// The app is told the result, and confirms its keys only if that is not `pending`. If it is, push the request.
  func enrol(
    _ json: [UInt8], as name: String, of user: Int64, challenge: Challenge?
  ) async throws -> (Registrations.Change, PendingProof?) {
    guard let line = try await database.registration(name, ofUser: user) else {
      guard let challenge, try await database.spend(challenge, ofUser: user) else {
        throw SignedSetError.notRegistered
      }
      let enrolment = try Enrolment(parsing: json, for: topic, audience: audience, challenge: challenge)
      let registration = try Registration(name: name, enrolment: enrolment)
      try await database.write(registration, ofUser: user, ifSerialIs: nil)
      return (.pending, registration.pending)
    }
    var registration = try Registration(parsing: line)
    let serial = registration.enrolment.serial
    let change = try registration.update(with: Enrolment(parsing: json, for: topic, audience: audience))
    guard change != .unchanged else { return (change, nil) }
    try await database.write(registration, ofUser: user, ifSerialIs: serial)
    return (change, registration.pending)
  }

  /// Asks a device to prove its new key and token, which nothing is sealed to before.
  func ask(
    _ pending: PendingProof, with sealer: Sealer,
    send: (SealedNotification, DeviceAddress) async throws -> Void
  ) async throws {
    // Devices of FCM are not registered here: see AndroidDevices.swift.
    guard case .apns(let address) = pending.address else { return }
    try await send(try sealer.seal(pending.request, to: pending.recipient), address)
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
    case .success(.apns(let sealed)):
      print("send \(sealed.push.payload.count) bytes to \(sealed.address.token.text)")
    case .success(.fcm): break
    case .failure(let error): print("not to \(push.device.address.token.text): \(error)")
    }
  }
}
