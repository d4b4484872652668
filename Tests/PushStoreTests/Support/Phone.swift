import PushCore
import PushEnrolment
import PushKeys
import PushStore
import TestSupport

/// A device that enrols at a directory.
struct Phone {
  static let audience = (try? Audience("https://push.example.com"))!
  static let topic = (try? Topic("com.example.app"))!

  let name: String
  var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)
  var address: DeviceAddress

  init(_ name: String, token: UInt8) {
    self.name = name
    address = Self.address(token)
  }

  /// The app's address with a token of this byte.
  static func address(_ token: UInt8) -> DeviceAddress {
    DeviceAddress(
      topic: topic, environment: .production, token: DeviceToken([UInt8](repeating: token, count: 32))!)
  }

  /// The identity's thumbprint.
  var identity: Thumbprint { keys.identity.records[0].id }

  /// An enrolment that nothing asked for.
  mutating func enrolment(at time: UnixTime = start) throws -> Enrolment {
    try keys.enrol(address: address, for: Self.audience, at: time)
  }

  /// The answer to a request.
  mutating func answer(_ pending: PendingProof, at time: UnixTime = start) throws -> Enrolment {
    try keys.answer(
      pending.request, openedBy: pending.recipient.thumbprint, address: address, for: Self.audience, at: time
    ).get()
  }

  /// Enrols, and answers what is asked.
  @discardableResult
  mutating func register(
    at store: any Store, of person: String? = nil, time: UnixTime = start
  ) async throws -> Registrations.Change {
    var acceptance = try await store.accept(
      enrolment(at: time), as: name, person: person, mayBeNew: true
    ).get()
    while let pending = acceptance.pending {
      acceptance = try await store.accept(answer(pending, at: time), as: name, mayBeNew: false).get()
    }
    return acceptance.change
  }
}
