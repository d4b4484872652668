public import PushCore
public import PushEnrolment

extension PushRegistration {
  /// Tells the backend the tokens that the phone has besides its device token: for calls, complications, push-to-talk and Live
  /// Activities.
  ///
  /// Give all of them, whenever one is new or has ended: the backend forgets what is missing. A Live Activity's token has the
  /// name by which the backend knows the activity. Call it again at the next launch if it fails.
  ///
  /// - Throws: ``RegistrationFailure``: ``RegistrationFailure/loginNeeded`` if the phone is not registered yet,
  ///   ``RegistrationFailure/refused(reason:)`` with a code of FORMAT.md, [11.34] to [11.37].
  public func handIn(tokens: [TokenUse: DeviceToken]) async throws(RegistrationFailure) {
    let memory = try local.load()
    guard memory.registration != nil, let signed = try local.sign(tokens) else { throw .loginNeeded }
    for account in memory.accounts where account.isEnrolled {
      do throws(RegistrationFailure) {
        return try await client.send(tokens: signed.encoded(), as: account.person)
      } catch .loginNeeded {
        // Another person's session may last.
      }
    }
    throw .loginNeeded
  }
}
