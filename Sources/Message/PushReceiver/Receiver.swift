public import PushCore
public import PushKeys

/// The device's side: opens notifications, and always has something to show.
///
/// Receivers share nothing but their key stores and their replay store, so one receiver can open several notifications
/// at once. A receiver only reads keys.
public struct Receiver: Sendable {
  /// The default deadline: 25 of the system's 30 seconds.
  public static let softDeadline = Duration.seconds(25)

  /// The bundle ID of the app.
  public let topic: Topic

  let keys: any DeviceKeyStore
  let senders: any SenderKeyStore
  let replay: any ReplayStore
  package var duplicates: DuplicateRule
  let bestAttempt: BestAttempt
  let clock: any PushClock

  /// Which envelopes open.
  public let accepts: AcceptedEnvelopes

  /// The top-level member of the payload that carries the envelope.
  public let envelopeKey: EnvelopeKey

  /// The accounts that are signed in; nil if the app does not know, so that the tags of accounts are ignored.
  ///
  /// A message for an account that is not among them does not open: ``DegradeReason/otherAccount``. One that names no
  /// account opens.
  public var accounts: (any SignedInAccounts)?

  /// The app's localized strings, for contents that name their texts by key, and for the placeholder.
  public var strings: any LocalizedStrings = NoStrings()

  /// The steps that run on an opened notification before it is shown, in order.
  ///
  /// They run once for a message, not on a duplicate: repeating a push does not make the phone fetch its attachments
  /// again. Only ``EnrichmentStep/reading(_:)`` and ``EnrichmentStep/rules(at:_:)`` run on a duplicate, too.
  public var steps: [EnrichmentStep] = []

  /// Whether the app is in front, if the extension can ask: then no step runs but ``EnrichmentStep/reading(_:)`` and
  /// ``EnrichmentStep/rules(at:_:)``, because the app has the message, or gets it by its own connection.
  ///
  /// `AppPresence` asks on Apple's systems.
  public var appIsInFront: @Sendable () -> Bool = { false }

  /// The observers that are told the result of each push.
  public var observers: [any ReceptionObserver] = []

  /// Makes a receiver for one app.
  ///
  /// `topic` is the bundle ID of the containing app, not of the extension. All receivers of the app should share
  /// `replay`; the default store forgets everything when the process ends.
  public init(
    topic: Topic, keys: any DeviceKeyStore, senders: any SenderKeyStore, accepts: AcceptedEnvelopes = .signed,
    replay: any ReplayStore = InMemoryReplayStore.shared, duplicates: DuplicateRule = .quietly,
    bestAttempt: BestAttempt = .outerTitle, envelopeKey: EnvelopeKey = .default,
    clock: any PushClock = SystemClock()
  ) {
    self.topic = topic
    self.keys = keys
    self.senders = senders
    self.accepts = accepts
    self.replay = replay
    self.duplicates = duplicates
    self.bestAttempt = bestAttempt
    self.envelopeKey = envelopeKey
    self.clock = clock
  }

  /// Opens a notification: decodes the envelope, finds the key, decrypts, verifies the signature, checks the times,
  /// reads the content, checks its account, and records it in the replay store.
  ///
  /// It does not try other systems' envelopes; ``reception(of:)`` and ``receive(_:deadline:)`` do.
  ///
  /// - Throws: ``DegradeReason``, for the first check that fails.
  public func open(_ push: IncomingPush) throws(DegradeReason) -> OpenedMessage {
    var opening = Opening(by: self)
    return try opening.open(push)
  }

  /// Opens a data message, which the app handles itself: from a background or VoIP push, or from a Live Activity's
  /// state.
  ///
  /// `type` is the type that the app expects from the way in which the push arrived. A message of any other type is
  /// refused, and so is every notification. The result's `opened.repetition` says whether the message is new: act on it
  /// once, however often it comes. A Live Activity's state is not recorded in the replay store, so a widget can open it
  /// again and again.
  ///
  /// - Throws: ``DegradeReason``, for the first check that fails.
  public func openData(
    _ envelope: EnvelopeField, as type: ContentType
  ) throws(DegradeReason) -> OpenedMessage {
    var opening = Opening(by: self)
    return try opening.openData(envelope, as: type)
  }

  /// Opens a backend's request to prove that the device has a key and a token: FORMAT.md, [11.19].
  ///
  /// An app calls it for each background push, before ``openData(_:as:)``: for any other message it throws
  /// ``DegradeReason/malformedContent``, as every other function does for a request. A request must be signed by a
  /// trusted sender, even if the receiver accepts anonymous messages. The app passes the opened request to
  /// `EnrolmentStore.answer(_:openedBy:at:for:)`, unless it is a duplicate, and sends the answer to its backend.
  ///
  /// - Throws: ``DegradeReason``, for the first check that fails.
  public func openProofRequest(_ envelope: EnvelopeField) throws(DegradeReason) -> OpenedProofRequest {
    var opening = Opening(by: self)
    return try opening.openProofRequest(envelope)
  }

  /// Opens a notification and returns what to show: its content, or the best attempt if it does not open.
  ///
  /// It has no deadline, runs no steps and tells no observers.
  public func reception(of push: IncomingPush) -> Reception {
    var opening = Opening(by: self)
    return opening.reception(of: push)
  }

  /// Reads an APNs payload as the system does, and returns what to show.
  public func reception(ofPayload payload: JSONObject) -> Reception {
    reception(of: IncomingPush(payload: payload, envelopeKey: envelopeKey))
  }

  /// Opens a notification and returns what to show within `deadline`, whatever happens.
  ///
  /// If files are being written then, or observers are told, it takes up to 2.5 seconds longer.
  ///
  /// If the calling task is cancelled, it immediately returns the best result so far.
  public func receive(_ push: IncomingPush, deadline: Duration = softDeadline) async -> Reception {
    let answer = FirstAnswer<Reception>()
    let reception = pendingReception(of: push) { answer.give($0) }
    return await withTaskCancellationHandler {
      start(reception, of: push, deadline: deadline)
      return await answer.wait()
    } onCancel: {
      reception.handOver()
    }
  }

  /// Opens a notification and calls `handler` with what to show, exactly once, within `deadline`.
  ///
  /// If files are being written then, or observers are told, it takes up to 2.5 seconds longer.
  ///
  /// An extension keeps the returned reception, and calls ``PendingReception/handOver()`` from
  /// `serviceExtensionTimeWillExpire()`.
  public func receive(
    _ push: IncomingPush, deadline: Duration = softDeadline,
    handler: @escaping @Sendable (Reception) -> Void
  ) -> PendingReception {
    let reception = pendingReception(of: push, handler: handler)
    start(reception, of: push, deadline: deadline)
    return reception
  }

  /// The placeholder for a notification that does not open.
  func degraded(_ push: IncomingPush, because reason: DegradeReason) -> Reception {
    Reception(
      degrading: push, because: reason, to: bestAttempt, envelopeKey: envelopeKey, strings: strings)
  }
}

extension Receiver {
  /// The identifiers under which messages may be on the screen, each by the ID that the backend gave it.
  ///
  /// A notification's identifier is its message's ID. A message to several devices has another ID on each, which depends on the
  /// device's key, so there are as many as the device has keys.
  public func identifiers(of messages: [MessageID]) -> [String] {
    let keys = (try? keys.thumbprints(at: clock.now)) ?? []
    return messages.flatMap { $0.ids(on: keys) }.map(\.text)
  }
}

extension Receiver {
  /// The app's last word on a result: on an opened notification, after the steps, or on a placeholder.
  package typealias Finish = @Sendable (Reception) async -> Void

  /// Opens a push for a pending reception that exists already, because the receiver had to be made first.
  ///
  /// `finish` runs after the steps on an opened notification, and on a placeholder. The deadline does not wait for it.
  package func receive(_ push: IncomingPush, through reception: PendingReception, finish: @escaping Finish) {
    reception.begin(with: unreadPlaceholder(for: push), onTimeout: timeoutReport(of: push))
    start(reception, of: push, deadline: Self.softDeadline, finish: finish)
  }

  /// The pending reception of a push, before the work on it starts.
  func pendingReception(
    of push: IncomingPush, handler: @escaping @Sendable (Reception) -> Void
  ) -> PendingReception {
    PendingReception(
      placeholder: unreadPlaceholder(for: push), handler: handler, onTimeout: timeoutReport(of: push))
  }

  /// The placeholder before the work begins, when the app's localized strings have not been read: that may take time.
  private func unreadPlaceholder(for push: IncomingPush) -> Reception {
    Reception(degrading: push, because: .deadline, to: bestAttempt, envelopeKey: envelopeKey)
  }

  /// Tells the observers, on a new thread, that time ran out.
  private func timeoutReport(of push: IncomingPush) -> @Sendable () -> Void {
    {
      guard !observers.isEmpty else { return }
      WorkThread.run { tellTimeout(of: push) }
    }
  }

  /// Starts the timer for the deadline, and the work on a new thread.
  func start(
    _ reception: PendingReception, of push: IncomingPush, deadline: Duration, finish: Finish? = nil
  ) {
    let end = clock.uptime + deadline
    guard deadline > .zero else { return reception.handOver() }
    guard !reception.isClosed else { return }
    reception.keep(
      Task.detached { [clock] in
        guard (try? await clock.sleep(until: end)) != nil else { return }
        await expire(reception, of: push, finish: finish)
      })
    WorkThread.run { work(on: push, for: reception, until: end, finish: finish) }
  }

  /// Hands over at the deadline.
  ///
  /// Observers are told first, because the system may stop the process at any moment after the hand-over. They and the
  /// app's last word on the placeholder get half a second at most.
  private func expire(_ reception: PendingReception, of push: IncomingPush, finish: Finish?) async {
    // Nothing is written after the hand-over, because the system may stop the process at any moment, and kills one that holds a
    // lock. So what is being written is waited for, before and after the result is settled; a disk that hangs is not.
    await waitForWriting(to: reception)
    if let placeholder = reception.close(), placeholder.outcome == .degraded(.deadline),
      !observers.isEmpty || finish != nil
    {
      _ = await clock.run(within: .milliseconds(500)) {
        async let told: Void = WorkThread.value { tellTimeout(of: push) }
        await finish?(placeholder)
        await told
      }
    }
    await waitForWriting(to: reception)
    reception.handOver()
  }

  /// Waits until nothing is being written, a second at most.
  private func waitForWriting(to reception: PendingReception) async {
    guard reception.isWriting else { return }
    _ = await clock.run(within: .seconds(1)) { await reception.written() }
  }

  /// Opens the push, keeps the opened text to be shown, tells the observers, and then starts the steps.
  private func work(
    on push: IncomingPush, for reception: PendingReception, until end: Duration, finish: Finish?
  ) {
    if bestAttempt.textKey != nil { reception.improve(to: degraded(push, because: .deadline)) }
    var opening = Opening(by: self)
    // From here on files may be written under a lock: a hand-over at the deadline waits for that.
    let result = opening.reception(
      of: push, isTooLate: { reception.isClosed }, mayRecord: { reception.beginWriting() })
    guard reception.improve(to: result) else {
      // The message was not shown, so it is new if it comes again.
      if let entry = opening.recorded { replay.forget(entry) }
      return reception.endWriting()
    }
    let report = ReceptionReport(
      time: clock.now, outcome: result.outcome, envelope: push.envelope, messageID: opening.messageID,
      keyFault: opening.keyFault, format: opening.format)
    if reception.beginWriting() { tell(report) }
    reception.endWriting()
    let message = opening.message
    // A duplicate that is hidden has no message here, and gets no last word.
    let isHidden = if case .opened = result.outcome { message == nil } else { false }
    guard !isHidden, finish != nil || (message != nil && !steps.isEmpty) else { return reception.handOver() }
    // `finish` has two seconds, or a quarter of the time that is left if that is less.
    let reserve = finish == nil ? .zero : min(.seconds(2), (end - clock.uptime) / 4)
    let due = opening.isRepeated || appIsInFront() ? steps.filter(\.runsOnDuplicates) : steps
    let enrichment = Enrichment(steps: due, clock: clock, end: end - reserve)
    reception.keep(
      Task.onOwnThreads {
        var result = result
        if let message {
          result = await enrichment.run(on: result, of: message, for: reception) { step, failure in
            await WorkThread.value {
              for observer in observers { observer.observe(failure, of: step.name, for: report) }
            }
          }
        }
        if !reception.isClosed { await finish?(result) }
        reception.handOver()
      })
  }

  private func tellTimeout(of push: IncomingPush) {
    tell(
      ReceptionReport(
        time: clock.now, outcome: .degraded(.deadline), envelope: push.envelope, messageID: nil))
  }

  private func tell(_ report: ReceptionReport) {
    for observer in observers { observer.observe(report) }
  }
}
