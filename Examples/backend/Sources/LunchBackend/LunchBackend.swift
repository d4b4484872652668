public import PushDelivery
public import PushStore
public import PushWorker

/// A backend that tells people about lunch: their devices enrol by ``routes``, and a worker seals to them and sends.
///
/// Everything is in the store, which several processes may use, each with a backend of its own.
public struct LunchBackend: Sendable {
  /// What apps ask the backend for.
  public let routes: EnrolmentRoutes

  private let topic: Topic
  private let store: any Store
  private let worker: Worker

  /// Makes a backend whose name, which the app has built in, is `audience`.
  ///
  /// - Parameters:
  ///   - senders: The backend's keys, with which it signs.
  ///   - published: The file with the signed set of these keys' public halves, for apps to fetch.
  ///   - report: Is called with what an operator should know, on any thread.
  /// - Throws: `ConfigurationError`.
  public init(
    topic: Topic, audience: Audience, store: any Store, senders: KeySet, published: SenderKeyFile,
    apns: APNsClient, report: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
  ) throws {
    (self.topic, self.store) = (topic, store)
    routes = EnrolmentRoutes(topic: topic, audience: audience, store: store, senders: published)
    var configuration = WorkerConfiguration()
    (configuration.topic, configuration.audience) = (topic, audience)
    worker = try Worker(
      store: store, apns: apns, senders: senders, configuration: configuration, report: report)
  }

  /// Answers enrolments, asks devices for their proofs, and sends, until ``stop()``.
  public func run() async throws { try await worker.run() }

  /// Ends ``run()`` when what it has begun is done.
  public func stop() { worker.stop() }

  /// Tells a person something on all devices, as soon as APNs takes it; false if the person has no device for it.
  ///
  /// It is in the queue when this returns. A retry of the same event has the same ID.
  public func tell(_ person: String, _ text: String, job: MessageID = .random()) async throws -> Bool {
    guard try await store.isReachable(person, in: topic) else { return false }
    let payload: JSONObject = ["aps": ["alert": ["title": "Lunch", "body": .string(text)]]]
    try await store.enqueue([Job(payload, to: person, messageID: job, topic: topic)])
    return true
  }
}
