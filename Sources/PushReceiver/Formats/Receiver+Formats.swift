internal import PushEnvelope
internal import PushPayload

extension Receiver {
  /// Opens what another system has sealed, if the push has no envelope of this package's and a format is accepted
  /// that recognizes it; null if there is nothing of the kind.
  ///
  /// The first format that recognizes a push is the only one that is tried.
  ///
  /// - Throws: ``DegradeReason``, at the first thing that is wrong.
  func openOther(
    _ push: IncomingPush, insteadOf reason: DegradeReason, _ trace: inout Trace
  ) throws(DegradeReason) -> OtherMessage? {
    guard reason.leavesRoomForOthers,
      let accepted = accepts.formats.first(where: { $0.format.recognizes(push.payload) })
    else { return nil }
    let isOver = clock.now >= accepted.until
    trace.format = FormatSighting(name: accepted.name, isOver: isOver)
    guard !isOver else { return nil }
    let plaintext: [UInt8]
    do throws(EnvelopeFormatError) {
      plaintext = try accepted.format.open(push.payload)
    } catch {
      throw DegradeReason(error)
    }
    guard var payload = accepted.reading.content(plaintext, push.payload) else { throw .malformedContent }
    // Nobody has signed the package's own members.
    payload[EnvelopeKey.reserved] = nil
    guard let notification = try? RemoteNotification(payload: payload), notification.hasText else {
      throw .malformedContent
    }
    return OtherMessage(format: accepted.name, notification: notification, payload: payload)
  }
}

/// What another system's envelope held.
struct OtherMessage: Sendable {
  let format: String
  let notification: RemoteNotification
  let payload: JSONObject
}

extension DegradeReason {
  /// Whether a push that was not opened for this reason has no envelope of this package's, of any version or suite.
  ///
  /// A later version's begins with a byte that another system's envelope may have as well.
  fileprivate var leavesRoomForOthers: Bool {
    switch self {
    case .noEnvelope, .malformedEnvelope, .unsupportedVersion: true
    default: false
    }
  }

  fileprivate init(_ error: EnvelopeFormatError) {
    switch error {
    case .absent: self = .noEnvelope
    case .malformed: self = .malformedEnvelope
    case .tooLarge: self = .tooLarge
    case .wrongKey: self = .unknownKey
    case .notAuthentic: self = .notAuthentic
    case .unavailable: self = .unsupportedSuite
    }
  }
}
