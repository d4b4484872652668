public import PushEnvelope
public import PushKeys
public import PushSealer

/// A device in a directory, ready to seal to.
public struct StoredDevice: Hashable, Sendable {
  /// Its address, names, and proven keys.
  public let device: EnrolledDevice

  /// The thumbprint of its identity, which stays the same when its keys and token change.
  public let identity: Thumbprint

  /// Whether the device has proven that the token is its own.
  ///
  /// Otherwise it only claims that (``Possession/keyAlone``), and the token may be junk.
  public let hasToken: Bool

  /// When the directory learned its token.
  public let tokenSetAt: UnixTime

  /// Since when nothing is sent to it, because APNs refused its token; nil if it is not quarantined.
  public let quarantinedAt: UnixTime?

  package init(
    device: EnrolledDevice, identity: Thumbprint, hasToken: Bool, tokenSetAt: UnixTime,
    quarantinedAt: UnixTime?
  ) {
    self.device = device
    self.identity = identity
    self.hasToken = hasToken
    self.tokenSetAt = tokenSetAt
    self.quarantinedAt = quarantinedAt
  }

  /// The device in quarantine since then.
  func quarantined(at time: UnixTime) -> StoredDevice {
    StoredDevice(
      device: device, identity: identity, hasToken: hasToken, tokenSetAt: tokenSetAt, quarantinedAt: time)
  }
}

/// A registration as it was read, so that it is only replaced if nobody has changed it since.
public struct VersionedRegistration: Sendable {
  /// The registration.
  public let registration: Registration

  /// Which of its states this is: a number that changes with each write, and never comes back.
  public let version: Int64

  package init(_ registration: Registration, version: Int64) {
    (self.registration, self.version) = (registration, version)
  }
}

/// A conditional write of a directory.
public enum RegistrationChange: Sendable {
  /// Adds a registration, if there is none with its name.
  case add(Registration)
  /// Replaces a registration, if it is still what was read. Both have the same name.
  case replace(VersionedRegistration, Registration)
  /// Removes a registration, if it is still what was read.
  case remove(VersionedRegistration)
}
