public import PushCore
public import PushKeys

/// A device as a backend knows it.
public struct EnrolledDevice: Hashable, Sendable {
  /// Where its messages go: to APNs or to FCM, with the app that enrolled and its token.
  public var address: PushAddress

  /// The public keys that it enrolled and proved; nil if there are none, so that nothing can be sealed to it.
  public var keys: PublicKeySet?

  /// The backend's own name for the registration; nil if it has none.
  public var registration: String?

  /// The backend's own name for the person whose messages it gets: the one who alone has it, or for whom it was looked up;
  /// nil if there is none.
  public var person: String?

  /// The backend's own names for all who have the device, in the order of their bytes; empty if nobody knows.
  public var persons: [String]

  /// The tag of the account of ``person`` on the device, which a sealer puts into the content; nil if there is none.
  ///
  /// If nobody has set another, it is derived from the person's name and the device's identity, where these are known:
  /// `AccountTag(person:identity:)`.
  public var account: AccountTag? {
    get {
      if let ownAccount { return ownAccount }
      guard let person, let identity else { return nil }
      return AccountTag(person: person, identity: identity)
    }
    set { (ownAccount, identity) = (newValue, nil) }
  }

  /// A tag that is not derived.
  private var ownAccount: AccountTag?

  /// The thumbprint of its identity, from which the tags of accounts are derived; nil if none shall be.
  package var identity: Thumbprint?

  /// Makes a device of one person.
  public init(
    address: some PushDestination, keys: PublicKeySet?, registration: String? = nil, person: String? = nil,
    account: AccountTag? = nil
  ) {
    self.address = address.pushAddress
    self.keys = keys
    self.registration = registration
    self.person = person
    persons = person.map { [$0] } ?? []
    ownAccount = account
  }

  /// Makes the device of a registration whose signature has been verified.
  ///
  /// It has only proven keys and their token; if none are proven, it has no keys.
  public init(_ registration: Registration) {
    self.init(
      address: (registration.proven?.enrolment ?? registration.enrolment).address,
      keys: registration.proven?.keys,
      registration: registration.name, person: registration.person)
    persons = registration.persons
    identity = registration.identity
  }

  /// The device for messages to one of its persons.
  package func addressed(to person: String) -> EnrolledDevice {
    var device = self
    device.person = person
    device.ownAccount = nil
    return device
  }
}

/// Keeps persons and names out of logs.
extension EnrolledDevice: CustomStringConvertible, CustomReflectable {
  /// The size of the token, and the app.
  public var description: String { "device \(address.token), \(address.topic)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
