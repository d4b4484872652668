package import PushCore
internal import PushEnrolment

/// What a change of a registration means for the proof requests that are to be pushed.
///
/// An engine writes it in the transaction of the change. When a registration goes, its request goes with its row.
package struct RequestChange: Sendable {
  /// A request that the registration's enrolment makes due.
  package struct Due: Sendable {
    package let address: DeviceAddress
    /// Whether it is due at once although the request before had to wait: an answer has ended that.
    package let isFresh: Bool
  }

  /// What becomes of the registration's request.
  package enum Row: Sendable {
    case keep, remove
    case due(Due)
  }

  /// The registration's name.
  package let registration: String
  /// Who is counted: ``claimant(_:)``.
  package let claimant: String
  package let row: Row
  /// The address that the registration has proven by an answer.
  package let answered: DeviceAddress?
  /// The address that it had proven and that APNs no longer accepts.
  package let died: DeviceAddress?
  /// The change of the token that it has proven, if an answer has changed it.
  package let tokenSwitch: TokenSwitch?

  /// Nil if the change removes the registration.
  package init?(_ change: RegistrationChange) {
    let (old, new): (VersionedRegistration?, Registration)
    switch change {
    case .add(let registration): (old, new) = (nil, registration)
    case .replace(let before, let registration): (old, new) = (before, registration)
    case .remove: return nil
    }
    (registration, claimant) = (new.name, Self.claimant(new))
    let hasAnswered = old.map { new.hasAnswered($0.registration) } ?? false
    let proven = new.proven.flatMap { $0.hasToken ? $0.enrolment.address.apns : nil }
    answered = hasAnswered ? proven : nil
    tokenSwitch = TokenSwitch(change)
    // A 410 takes a proven token from a registration, and leaves what is pending. Who is suspended loses both.
    let before = old?.registration
    let isOver = before?.proven?.hasToken == true && new.proven == nil && before?.isPending == new.isPending
    died = isOver ? before?.proven?.enrolment.address.apns : nil
    let pending = new.pending
    if let pending, let address = pending.address.apns, pending.possession == .keyAndToken,
      pending.recipient.suite.isAvailable
    {
      let isNew = old?.registration.enrolment != new.enrolment
      row = isNew ? .due(Due(address: address, isFresh: hasAnswered)) : .keep
    } else {
      row = .remove
    }
  }

  /// Who is counted if it is asked for a token that it does not hold: the person or, if nobody knows it, the registration.
  private static func claimant(_ registration: Registration) -> String {
    registration.person.map(claimant(person:)) ?? "registration \(registration.name)"
  }

  /// How a person is counted.
  package static func claimant(person: String) -> String { "person \(person)" }
}
