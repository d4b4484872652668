public import PushCore
public import PushKeys

extension KeySetEditor {
  /// Sets an expiration for replaced keys, as ``confirm(grace:at:)`` does, once senders use the keys of `enrolment`.
  ///
  /// Returns nil, and changes nothing, if the set is not a device's, or if keys were replaced since, so that the enrolment
  /// lacks an active key.
  ///
  /// - Throws: `KeySetError.graceTooShort`.
  @discardableResult
  public mutating func confirm(
    _ enrolment: Enrolment, grace: Duration = KeySetEditor.confirmedGrace, at now: UnixTime = .now
  ) throws(KeySetError) -> [KeyRecord]? {
    let taken = Set(enrolment.keys.records.filter { $0.life.status == .active }.map(\.id))
    let active = keySet.records.filter { $0.life.status == .active }
    guard keySet.role == .device, active.allSatisfy({ taken.contains($0.id) }) else { return nil }
    return try confirm(grace: grace, at: now)
  }
}
