public import PushCore
internal import PushNetwork

/// Why a push has no answer of APNs.
public struct DeliveryError: Error, Hashable, Sendable {
  /// What happened.
  public enum Cause: Hashable, Sendable {
    /// The push is for another topic than the address.
    case wrongTopic
    /// The task was cancelled.
    case cancelled
    /// The client was shut down.
    case shutDown
    /// APNs refuses all pushes of the route for this reason. Correct the cause, then resume the route.
    case routeStopped(APNsReason?)
    /// APNs refused so many devices of the route in a row that its environment or topic must be wrong; the route is
    /// stopped as by ``routeStopped(_:)``. The limit is ``RetryPolicy/badDevicesInARow``.
    case badDevices(APNsReason?, inARow: Int)
    /// APNs refused so many pushes of the route in a row for the same reason that its topic or the key must be wrong; the
    /// route is stopped as by ``routeStopped(_:)``. The limit is ``RetryPolicy/equalRefusalsInARow``.
    case equalRefusals(APNsReason?, inARow: Int)
    /// Something that is not APNs answered: the answer has neither the message's ID nor a reason of Apple's table. It says
    /// nothing about the push or the device, so keep both. The text says what answered.
    case notAPNs(String)
    /// The route makes no progress, and has as many pushes on their way as it may have. This push was not sent: keep it
    /// for later. Only sequences give pushes back like this: see `send(_:atATime:)`.
    case routeHeldUp
    /// The client has a server of its own for the other environment, and none for this one, so the push goes to no
    /// server: see ``APNsConfiguration/servers``.
    case noServer(APNsEnvironment)
    /// None of the client's keys is for the app in this environment, so the push was not sent: see ``APNsKeys``.
    case noKey(Topic, APNsEnvironment)
    /// The time of the ``RetryPolicy`` was up before there was a connection. The text says why the last attempt failed.
    case noConnection(String)
    /// The time or the attempts of the ``RetryPolicy`` were used up without an answer.
    case noAnswer
    /// A header, or the path, has bytes that HTTP forbids.
    case invalidRequest
    /// There is no push to send, because nothing was sealed. The text says why.
    case notSealed(String)
  }

  /// What happened.
  public let cause: Cause

  /// Whether APNs may have accepted the push, because an attempt was sent and had no answer.
  ///
  /// If you send the push again, keep its message ID and collapse ID, and the device shows it once.
  public let mayBeDelivered: Bool

  /// Makes an error, to test code that handles it.
  public init(cause: Cause, mayBeDelivered: Bool) {
    (self.cause, self.mayBeDelivered) = (cause, mayBeDelivered)
  }
}

extension DeliveryError: CustomStringConvertible {
  /// What is wrong, and whether the push may have been delivered.
  public var description: String {
    let text =
      switch cause {
      case .wrongTopic: "the push is for another topic than the device's address"
      case .cancelled: "cancelled"
      case .shutDown: "the client was shut down"
      case .routeStopped(let reason):
        "APNs refuses this route's pushes: \(reason?.rawValue ?? "no reason given")"
      case .badDevices(let reason, let count):
        """
        the route is stopped, because APNs refused \(count) devices in a row with \(reason?.rawValue ?? "no reason"): \
        are the environment and the topic right? Do not remove devices because of it
        """
      case .equalRefusals(let reason, let count):
        """
        the route is stopped, because APNs refused \(count) pushes in a row with \(reason?.rawValue ?? "no reason"): are \
        the topic and the key right?
        """
      case .notAPNs(let text): "what answered is not APNs: \(text)"
      case .routeHeldUp: "the route is held up, and too many pushes wait already"
      case .noKey(let topic, let environment):
        "none of the client's keys is for \(topic) in \(environment.rawValue)"
      case .noServer(let environment): "the client has no server for the environment \(environment.rawValue)"
      case .noConnection(let text): "no connection to APNs: \(text)"
      case .noAnswer: "APNs did not answer"
      case .invalidRequest: "the push has bytes that HTTP forbids"
      case .notSealed(let text): "nothing was sealed: \(text)"
      }
    return mayBeDelivered ? text + "; an earlier attempt may have delivered it" : text
  }
}

extension DeliveryError {
  /// The same error, unless nobody answered because no connection was of use: then it says why.
  func explained(by refusal: HTTP2Error?) -> DeliveryError {
    guard case .noAnswer = cause, let refusal else { return self }
    return DeliveryError(cause: .noConnection(refusal.description), mayBeDelivered: mayBeDelivered)
  }
}
