public import PushCore
public import PushKeys

extension KeySetEditor {
  /// Sets an expiration for replaced keys, as ``confirm(grace:at:)`` does, once the senders use the keys of
  /// `enrolment`; nil if the enrolment lacks an active key because keys were replaced since.
  ///
  /// - Throws: ``KeySetError/graceTooShort``.
  @discardableResult
  public mutating func confirm(
    _ enrolment: Enrolment, grace: Duration = KeySetEditor.confirmedGrace, at now: UnixTime
  ) throws(KeySetError) -> [KeyRecord]? {
    let taken = Set(enrolment.keys.records.filter { $0.life.status == .active }.map(\.id))
    let active = keySet.records.filter { $0.life.status == .active }
    guard keySet.role == .device, active.allSatisfy({ taken.contains($0.id) }) else { return nil }
    return try confirm(grace: grace, at: now)
  }
}
