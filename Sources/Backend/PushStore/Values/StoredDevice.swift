public import PushCore
public import PushEnrolment
internal import PushKeys

/// A device in a directory, ready to seal to.
public struct StoredDevice: Hashable, Sendable {
  /// The storage that copies share: a worker copies a device several times for each message.
  private final class Content: Sendable {
    let device: EnrolledDevice
    let identity: Thumbprint
    let hasToken: Bool
    let tokenSetAt: UnixTime

    init(device: EnrolledDevice, identity: Thumbprint, hasToken: Bool, tokenSetAt: UnixTime) {
      self.device = device
      self.identity = identity
      self.hasToken = hasToken
      self.tokenSetAt = tokenSetAt
    }
  }

  private let content: Content

  /// Since when nothing is sent to it, because APNs refused its token; nil if it is not quarantined.
  public let quarantinedAt: UnixTime?

  package init(
    device: EnrolledDevice, identity: Thumbprint, hasToken: Bool, tokenSetAt: UnixTime,
    quarantinedAt: UnixTime?
  ) {
    self.init(
      content: Content(device: device, identity: identity, hasToken: hasToken, tokenSetAt: tokenSetAt),
      quarantinedAt: quarantinedAt)
  }

  private init(content: Content, quarantinedAt: UnixTime?) {
    self.content = content
    self.quarantinedAt = quarantinedAt
  }

  /// Its address, names, and proven keys.
  public var device: EnrolledDevice { content.device }

  /// The thumbprint of its identity, which stays the same when its keys and token change.
  public var identity: Thumbprint { content.identity }

  /// Whether the device has proven that the token is its own.
  ///
  /// If not (`Possession.keyAlone`), the device only claims the token, which may be junk.
  public var hasToken: Bool { content.hasToken }

  /// When the directory learned its token.
  public var tokenSetAt: UnixTime { content.tokenSetAt }

  /// The device, in quarantine since `time`.
  func quarantined(at time: UnixTime) -> StoredDevice { StoredDevice(content: content, quarantinedAt: time) }

  /// Whether both are the same device, in the same state.
  public static func == (left: StoredDevice, right: StoredDevice) -> Bool {
    left.device == right.device && left.identity == right.identity && left.hasToken == right.hasToken
      && left.tokenSetAt == right.tokenSetAt && left.quarantinedAt == right.quarantinedAt
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

  package init(_ registration: Registration, version: Int64) {
    self.registration = registration
    self.version = version
  }
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
