internal import PushCore
public import PushEnrolment
internal import PushReceiver
internal import PushKeys
internal import PushSimulation

extension StandInPhone {
  /// Enrols the phone at a store or a registration file, and proves its keys and its token.
  ///
  ///     try await phone.enrol(in: store, person: "ada")
  ///
  /// It does in one call what an app and its backend do: it makes the keys that are missing, signs an enrolment, has it
  /// accepted under the name, and answers the proof requests until nothing is pending. The requests are not pushed: the
  /// phone takes them as they are. Calling it again enrols the phone's current keys and token anew.
  ///
  /// `name` is the registration's, nil for the phone's own; `audience` the backend's, nil for `https://push.example.com`;
  /// `keys` the app's keys, nil for those that the phone was given or made.
  ///
  /// - Throws: ``StandInError/noKeys(phone:)`` for a phone with the app's own extension and no `keys`; `SignedSetError` if
  ///   the enrolment is refused; the errors of the directory and of the keys.
  @discardableResult
  public func enrol(
    in directory: some EnrolmentDirectory, as name: String? = nil, person: String? = nil,
    audience: Audience? = nil, proving possession: Possession = .keyAndToken,
    keys: (any EnrolmentStore)? = nil
  ) async throws -> EnrolmentOutcome {
    guard let keys = keys ?? self.keys else { throw StandInError.noKeys(phone: self.name) }
    let audience = try audience ?? Audience("https://push.example.com")
    var enrolment = try keys.enrol(address: address, for: audience, at: clock.now)
    while true {
      let outcome = try await directory.accept(
        enrolment, as: name ?? self.name, person: person, mayBeNew: true, proving: possession
      ).get()
      guard let asked = outcome.pending else { return outcome }
      let answer = try keys.answer(
        asked.request, openedBy: asked.recipient.thumbprint, address: address, for: audience, at: clock.now)
      guard let answer else { preconditionFailure("the keys were made") }
      enrolment = try answer.get()
    }
  }

  /// Enrols the phone at a backend that pushes its proof requests, as an app does: signs an enrolment, and then the answer to
  /// each request that arrives, and hands each to `send`, until the task is cancelled.
  ///
  ///     Task { try await phone.enrol(for: audience) { enrolment in try await post(enrolment.encoded()) } }
  ///
  /// It reads ``backgroundPush``: a background push that is no request is passed over.
  ///
  /// - Throws: ``StandInError/noKeys(phone:)`` for a phone with the app's own extension; what `send` throws; the errors of the
  ///   keys; `CancellationError`.
  public func enrol(
    for audience: Audience, sending send: (Enrolment) async throws -> Void
  ) async throws {
    guard let keys, let receiver else { throw StandInError.noKeys(phone: name) }
    try await send(try keys.enrol(address: address, for: audience, at: clock.now))
    while true {
      let payload = try await backgroundPush
      guard let object = try? JSONObject(parsing: payload.span),
        let asked = try? receiver.openProofRequest(
          EnvelopeField(data: object, envelopeKey: receiver.envelopeKey)), !asked.opened.isDuplicate,
        let answer = try keys.answer(
          asked.request, openedBy: asked.opened.recipient, address: address, for: audience, at: clock.now)
      else { continue }
      // A request that the device does not answer is not its own, such as one for a former token.
      if case .success(let enrolment) = answer { try await send(enrolment) }
    }
  }

  /// Signs the tokens that the phone has for calls, complications and push-to-talk, and for a Live Activity of this name if one is
  /// given, as an app does whenever one of them changes; nil before its keys are made.
  ///
  /// - Throws: ``StandInError/noKeys(phone:)`` for a phone with the app's own extension; the errors of the keys.
  public func signTokens(for audience: Audience, activity: String? = nil) throws -> DeviceTokens? {
    guard let keys else { throw StandInError.noKeys(phone: name) }
    var tokens: [TokenUse: DeviceToken] = [
      .voip: token(of: .voip), .complication: token(of: .complication), .pushToTalk: token(of: .pushToTalk),
    ]
    if let activity { tokens[.activity(named: activity)] = token(of: .liveActivity) }
    return try keys.sign(tokens, of: topic, in: environment, for: audience, at: clock.now)
  }
}
