import PushEnrolment
public import PushDelivery
public import PushSealer

/// A backend that tells people about lunch: it registers their devices, seals to them, and sends.
///
/// The registrations are in a file, which several processes may use.
public struct LunchBackend: Sendable {
  private let topic: Topic
  private let audience: Audience
  private let registrations: RegistrationFile
  private let sealer: Sealer
  private let apns: APNsClient
  private let askTime: Duration

  /// Makes a backend whose name, which the app has built in, is `audience`.
  ///
  /// - Parameter askTime: How long an enrolment waits for APNs, while the app waits for its answer.
  public init(
    topic: Topic, audience: Audience, registrations: RegistrationFile, sender: SigningKey, apns: APNsClient,
    askTime: Duration = .seconds(5)
  ) {
    (self.topic, self.audience, self.registrations, self.apns) = (topic, audience, registrations, apns)
    self.askTime = askTime
    sealer = Sealer(topic: topic, signingKey: sender)
  }

  /// Takes what an app sends at each launch, after its user has logged in.
  ///
  /// A new key or token is pending until the device has proven it: it is asked to by a background push, and calls this
  /// again with the answer. The app keeps its old keys until the result is not `pending`. If APNs does not take the push
  /// in time, the next launch asks again.
  public func enrol(
    _ json: [UInt8], as device: String, of person: String, challenge: Challenge? = nil
  ) async throws -> Registrations.Change {
    let enrolment = try Enrolment(parsing: json, for: topic, audience: audience, challenge: challenge)
    let outcome = try registrations.accept(enrolment, as: device, person: person, mayBeNew: true).get()
    if let pending = outcome.pending {
      let request = try sealer.seal(pending.request, to: pending.recipient)
      try await ask(request, at: pending.address)
    }
    return outcome.change
  }

  /// Sends a push for as long as the app may wait.
  ///
  /// The client itself would go on for an hour.
  private func ask(_ request: SealedNotification, at address: DeviceAddress) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { _ = try await apns.send(request, to: address) }
      group.addTask { try await Task.sleep(for: askTime) }
      // Whichever is first.
      try await group.next()
      group.cancelAll()
    }
  }

  /// Tells a person something on all devices at the same time; the outcomes are in the devices' order.
  ///
  /// A retry of the same job has the same ID.
  public func tell(_ person: String, _ text: String, job: MessageID = .random()) async throws -> [Outcome] {
    let devices = try registrations.load().all.filter { $0.person == person && $0.proven != nil }
    let notification = RemoteNotification(title: "Lunch", body: text)
    let pushes = sealer.seal(notification, to: devices.map(EnrolledDevice.init), messageID: job)
    return try await apns.send(pushes).map(outcome)
  }

  /// What the answer, or its lack, means for the push and the registration.
  private func outcome(of sent: Delivered<DevicePush>) throws -> Outcome {
    let response: APNsResponse
    do throws(DeliveryError) {
      response = try sent.result.get()
    } catch {
      if case .notSealed(let reason) = error.cause { return .failed(reason) }
      return .later("\(error)")
    }
    let reason = response.reason?.rawValue ?? "status \(response.status)"
    switch response.verdict {
    case .accepted: return .accepted
    case .removeToken:
      // The app may have registered the same token again since then.
      let token = sent.job.device.address.token
      _ = try registrations.remove(token, unregisteredAt: response.unregisteredAt)
      return .gone
    case .keep: return .later(reason)
    case .quarantineDevice, .discard: return .failed(reason)
    }
  }

  /// What became of a push to one device.
  public enum Outcome: Hashable, Sendable {
    /// APNs has it.
    case accepted
    /// APNs is busy or cannot be reached, after all the client's attempts: the queue tries the job again, with its ID.
    case later(String)
    /// The app is no longer on the device, which is forgotten.
    case gone
    /// It is wrong, and would be at any other time: for somebody to look at.
    case failed(String)
  }
}
