public import PushCore
public import PushEnrolment
internal import PushKeys

/// A device in a directory, ready to seal to.
public struct StoredDevice: Hashable, Sendable {
  /// The storage that copies share: a worker copies a device several times for each message.
  private final class Content: Sendable {
    let device: EnrolledDevice
    let address: DeviceAddress
    let identity: Thumbprint
    let hasToken: Bool
    let tokenSetAt: UnixTime
    let proof: ProofNumber
    let pushType: PushType?

    init(
      device: EnrolledDevice, address: DeviceAddress, identity: Thumbprint, hasToken: Bool,
      tokenSetAt: UnixTime, proof: ProofNumber, pushType: PushType? = nil
    ) {
      self.pushType = pushType
      self.device = device
      self.address = address
      self.identity = identity
      self.hasToken = hasToken
      self.tokenSetAt = tokenSetAt
      self.proof = proof
    }
  }

  private let content: Content

  /// Since when nothing is sent to it, because APNs refused its token; nil if it is not quarantined.
  public let quarantinedAt: UnixTime?

  package init(
    device: EnrolledDevice, address: DeviceAddress, identity: Thumbprint, hasToken: Bool,
    tokenSetAt: UnixTime,
    proof: ProofNumber, quarantinedAt: UnixTime?
  ) {
    self.init(
      content: Content(
        device: device, address: address, identity: identity, hasToken: hasToken, tokenSetAt: tokenSetAt,
        proof: proof),
      quarantinedAt: quarantinedAt)
  }

  private init(content: Content, quarantinedAt: UnixTime?) {
    self.content = content
    self.quarantinedAt = quarantinedAt
  }

  /// Its address, names, and proven keys.
  public var device: EnrolledDevice { content.device }

  /// Its address at APNs, which carries all messages that a worker sends.
  public var address: DeviceAddress { content.address }

  /// The thumbprint of its identity, which stays the same when its keys and token change.
  public var identity: Thumbprint { content.identity }

  /// Whether the device has proven that the token is its own.
  ///
  /// If not (`Possession.keyAlone`), the device only claims the token, which may be junk.
  public var hasToken: Bool { content.hasToken }

  /// When the directory learned its token.
  public var tokenSetAt: UnixTime { content.tokenSetAt }

  /// Which proof the device was looked up after.
  package var proof: ProofNumber { content.proof }

  /// Whether messages can be sealed and sent to it: its keys are proven, and it is not in quarantine.
  public var isReachable: Bool { device.keys != nil && quarantinedAt == nil }

  /// The device for messages to this person; nil if it is not this person's.
  package func addressed(to person: String) -> StoredDevice? {
    guard device.person.map(ExactString.init) != ExactString(person) else { return self }
    guard device.persons.contains(where: { ExactString($0) == ExactString(person) }) else { return nil }
    let copy = Content(
      device: device.addressed(to: person), address: address, identity: identity, hasToken: hasToken,
      tokenSetAt: tokenSetAt, proof: proof)
    return StoredDevice(content: copy, quarantinedAt: quarantinedAt)
  }

  /// The type of the pushes to its address, if that is not its device token: see ``TokenBook``.
  package var ownPushType: PushType? { content.pushType }

  /// The device with the token for pushes of another type in place of its device token.
  package func at(_ token: DeviceToken, for pushType: PushType) -> StoredDevice {
    let place = DeviceAddress(topic: address.topic, environment: address.environment, token: token)
    var other = device
    other.address = .apns(place)
    // Nothing is pushed to such a token to prove it.
    let copy = Content(
      device: other, address: place, identity: identity, hasToken: false, tokenSetAt: tokenSetAt,
      proof: proof,
      pushType: pushType)
    return StoredDevice(content: copy, quarantinedAt: quarantinedAt)
  }

  /// The device, in quarantine since `time`.
  func quarantined(at time: UnixTime) -> StoredDevice { StoredDevice(content: content, quarantinedAt: time) }

  /// Whether both are the same device, in the same state.
  public static func == (left: StoredDevice, right: StoredDevice) -> Bool {
    left.device == right.device && left.identity == right.identity && left.hasToken == right.hasToken
      && left.tokenSetAt == right.tokenSetAt && left.proof == right.proof
      && left.quarantinedAt == right.quarantinedAt
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// A registration as it was read; it is replaced only if nobody has changed it since.
public struct VersionedRegistration: Sendable {
  /// The registration.
  public let registration: Registration

  /// Which of its states this is: a number that changes with each write, and never comes back, except that an enrolment
  /// that says nothing new of the device's address and keys changes only the registration's serial.
  public let version: Int64

  /// The registration's last proof.
  package let proof: ProofNumber

  /// Whether it has lost what it had proven, and proven nothing since.
  package let isLost: Bool

  package init(_ registration: Registration, version: Int64, proof: ProofNumber, isLost: Bool) {
    self.registration = registration
    self.version = version
    self.proof = proof
    self.isLost = isLost
  }
}

/// Tells a registration's last proof from the ones before: a number that changes with each answer to a request.
///
/// APNs' answer 410 counts only if the number is still the one that was looked up before the push. Neither a clock of the
/// phone's nor APNs' time decides.
package struct ProofNumber: Hashable, Sendable {
  /// The column `proof`.
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  package static func random() -> ProofNumber { ProofNumber(.random(in: 1 ... .max)) }
}

/// A conditional write of a directory.
public enum RegistrationChange: Sendable {
  /// Adds a registration, if there is none with its name.
  case add(Registration)
  /// Replaces a registration if it has not changed since it was read. Both have the same name.
  case replace(VersionedRegistration, Registration)
  /// Removes a registration if it has not changed since it was read.
  case remove(VersionedRegistration)
}

extension RegistrationChange {
  /// The persons whose jobs wait no longer, because a device has proven again what it had lost.
  package var wokenPersons: [String] {
    guard case .replace(let old, let new) = self, old.isLost, new.proven != nil else { return [] }
    return new.persons
  }

  /// The token that the registration's messages go to from now on; nil if they have none, or the same as before.
  package var tokenClaim: TokenClaim? {
    switch self {
    case .add(let new): return TokenClaim(new)
    case .replace(let old, let new):
      let claim = TokenClaim(new)
      return claim == TokenClaim(old.registration) ? nil : claim
    case .remove: return nil
    }
  }
}

/// A token that a registration's messages go to: FORMAT.md, [11.16] and [11.18].
///
/// If the registration has proven the token, no other registration's messages go there. If not, no other registration has
/// proven it.
package struct TokenClaim: Hashable, Sendable {
  /// The registration's name.
  package let name: String
  /// The token, in lowercase hexadecimal.
  package let token: String
  /// Whether the token is proven, and not only the registration's keys.
  package let isProven: Bool

  /// Nil if the registration has no proven keys, because nothing is sealed to it then.
  init?(_ registration: Registration) {
    guard let proven = registration.proven else { return nil }
    (name, token) = (registration.name, proven.enrolment.address.token.text)
    isProven = proven.hasToken
  }
}

/// Keeps persons and names out of logs.
extension StoredDevice: CustomStringConvertible, CustomReflectable {
  /// The identity's thumbprint.
  public var description: String { "device \(identity)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
