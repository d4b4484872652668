public import PushCore
public import PushKeys

/// The device's side: opens notifications, and always has something to show.
///
/// Receivers share nothing but their key stores and their replay store, so one receiver can open several
/// notifications at once. It only reads keys.
public struct Receiver: Sendable {
  /// The default deadline: 25 of the system's 30 seconds.
  public static let softDeadline = Duration.seconds(25)

  let topic: Topic
  let keys: any DeviceKeyStore
  let senders: any SenderKeyStore
  let replay: any ReplayStore
  let duplicates: DuplicateRule
  let bestAttempt: BestAttempt
  let clock: any PushClock

  /// Which envelopes open.
  public let accepts: AcceptedEnvelopes

  /// The top-level member of the payload that carries the envelope.
  public let envelopeKey: EnvelopeKey

  /// The app's localized strings, for contents that name their texts by key.
  public var strings: any LocalizedStrings = NoStrings()

  /// The steps that run on an opened notification before it is shown, in order.
  ///
  /// They run once for a message, not on a duplicate: whoever repeats a push makes no phone fetch its attachment again.
  public var steps: [EnrichmentStep] = []

  /// The observers that are told the result of each push.
  public var observers: [any ReceptionObserver] = []

  /// Makes a receiver for one app.
  ///
  /// `topic` is the bundle id of the containing app, not of the extension. All receivers of the app should share
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
  /// reads the content, and records it in the replay store.
  ///
  /// Envelopes of other systems are not tried: ``reception(of:)`` and ``receive(_:deadline:)`` do that.
  ///
  /// - Throws: ``DegradeReason``, for the first check that fails.
  public func open(_ push: IncomingPush) throws(DegradeReason) -> OpenedMessage {
    var opening = Opening(by: self)
    return try opening.open(push)
  }

  /// Opens data that the app itself asks for: from a background or VoIP push, or from a Live Activity's state.
  ///
  /// `type` is what the app expects, from the way in which the push came, and any other message is refused, as is every
  /// notification. The result's `opened.repetition` says whether the message is new: act on it once, however often it
  /// comes. A Live Activity's state is not recorded in the replay store, so a widget can open it again and again.
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
  /// An app calls it for each background push, before ``openData(_:as:)``: what is no request is
  /// ``DegradeReason/malformedContent``, and so is a request to every other function. A request must be signed by a trusted
  /// sender, even if the receiver accepts anonymous messages. The app passes what is opened to
  /// `EnrolmentStore.answer(_:openedBy:at:for:)`, unless it is a duplicate, and sends the result to its backend.
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
  /// If the calling task is cancelled, it returns the best there is immediately.
  public func receive(_ push: IncomingPush, deadline: Duration = softDeadline) async -> Reception {
    let answer = FirstAnswer<Reception>()
    let delivery = delivery(of: push) { answer.give($0) }
    return await withTaskCancellationHandler {
      start(delivery, of: push, deadline: deadline)
      return await answer.wait()
    } onCancel: {
      delivery.handOver()
    }
  }

  /// Opens a notification and calls `handler` with what to show, exactly once, within `deadline`.
  ///
  /// An extension keeps the returned delivery, and calls ``PendingReception/handOver()`` from
  /// `serviceExtensionTimeWillExpire()`.
  public func receive(
    _ push: IncomingPush, deadline: Duration = softDeadline,
    handler: @escaping @Sendable (Reception) -> Void
  ) -> PendingReception {
    let delivery = delivery(of: push, handler: handler)
    start(delivery, of: push, deadline: deadline)
    return delivery
  }

  /// What to show of a notification that does not open.
  func degraded(_ push: IncomingPush, because reason: DegradeReason) -> Reception {
    Reception(degrading: push, because: reason, to: bestAttempt, envelopeKey: envelopeKey)
  }
}

extension Receiver {
  /// The app's last word on an opened notification, after the steps.
  package typealias Finish = @Sendable (Reception) async -> Void

  /// Opens a push in time for a delivery that already waits, because the receiver had to be made first.
  ///
  /// `finish` runs after the steps on an opened notification. It is not waited for past the deadline.
  package func deliver(_ push: IncomingPush, through delivery: PendingReception, finish: @escaping Finish) {
    prepare(delivery, of: push)
    start(delivery, of: push, deadline: Self.softDeadline, finish: finish)
  }

  /// The delivery of a push, before the work on it starts.
  func delivery(of push: IncomingPush, handler: @escaping @Sendable (Reception) -> Void) -> PendingReception {
    let delivery = PendingReception(placeholder: degraded(push, because: .deadline), handler: handler)
    prepare(delivery, of: push)
    return delivery
  }

  private func prepare(_ delivery: PendingReception, of push: IncomingPush) {
    delivery.begin(with: degraded(push, because: .deadline)) {
      guard !observers.isEmpty else { return }
      WorkThread.run { tellTimeout(of: push) }
    }
  }

  /// Starts the deadline, and the work on a thread of its own.
  func start(_ delivery: PendingReception, of push: IncomingPush, deadline: Duration, finish: Finish? = nil) {
    let end = clock.uptime + deadline
    guard deadline > .zero else { return delivery.handOver() }
    guard !delivery.isClosed else { return }
    delivery.keep(
      Task.detached { [clock] in
        guard (try? await clock.sleep(until: end)) != nil else { return }
        await expire(delivery, of: push)
      })
    WorkThread.run { work(on: push, for: delivery, until: end, finish: finish) }
  }

  /// Hands over at the deadline.
  ///
  /// Observers are told first, because the system may stop the process at any moment afterwards; they get half a
  /// second at most.
  private func expire(_ delivery: PendingReception, of push: IncomingPush) async {
    if delivery.close()?.outcome == .degraded(.deadline), !observers.isEmpty {
      _ = await clock.run(within: .milliseconds(500)) {
        await WorkThread.value { tellTimeout(of: push) }
      }
    }
    delivery.handOver()
  }

  /// Opens the push, makes the text safe, tells the observers, and goes on to what may take longer.
  private func work(
    on push: IncomingPush, for delivery: PendingReception, until end: Duration, finish: Finish?
  ) {
    var opening = Opening(by: self)
    let reception = opening.reception(of: push, isTooLate: { delivery.isClosed })
    guard delivery.improve(to: reception) else {
      // Nobody saw it, so it is new if it comes again.
      if let entry = opening.recorded { replay.forget(entry) }
      return
    }
    let report = ReceptionReport(
      time: clock.now, outcome: reception.outcome, envelope: push.envelope, messageID: opening.messageID,
      keyFault: opening.keyFault, format: opening.format)
    tell(report)
    let message = opening.message
    let isFinal = if case .openedOther = reception.outcome { false } else { message == nil }
    guard !isFinal, !steps.isEmpty || finish != nil else { return delivery.handOver() }
    // With the default deadline, `finish` has at least two seconds.
    let reserve = finish == nil ? .zero : min(.seconds(2), (end - clock.uptime) / 4)
    let enrichment = Enrichment(steps: opening.isRepeated ? [] : steps, clock: clock, end: end - reserve)
    delivery.keep(
      Task.detached(executorPreference: StepExecutor.shared) {
        var reception = reception
        if let message {
          reception = await enrichment.run(on: reception, of: message, for: delivery) { step, failure in
            await WorkThread.value {
              for observer in observers { observer.observe(failure, of: step.name, for: report) }
            }
          }
        }
        if !delivery.isClosed { await finish?(reception) }
        delivery.handOver()
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
