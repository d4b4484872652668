internal import PushEnvelope
internal import PushPayload

extension Receiver {
  /// Opens what another system has sealed, if the push has no envelope of this package's and an accepted format
  /// recognizes it; null if there is nothing of the kind.
  ///
  /// The first format that recognizes a push is the only one that is tried. One whose time is over stands behind all
  /// others.
  ///
  /// - Throws: ``DegradeReason/otherFormat``, ``DegradeReason/deadline``.
  func openOther(
    _ push: IncomingPush, isTooLate: () -> Bool, _ trace: inout Trace
  ) throws(DegradeReason) -> OtherMessage? {
    guard !push.envelope.isSealed else { return nil }
    let now = clock.now
    let known = accepts.formats.filter { $0.format.recognizes(push.payload) }
    guard let accepted = known.first(where: { now < $0.until }) ?? known.first else { return nil }
    guard now < accepted.until else {
      trace.format = FormatSighting(name: accepted.name, fate: .over)
      throw .otherFormat
    }
    guard !isTooLate() else { throw .deadline }
    do throws(EnvelopeFormatError) {
      let plaintext = try accepted.format.open(push.payload)
      if let message = accepted.message(of: plaintext, in: push.payload) {
        trace.format = FormatSighting(name: accepted.name, fate: .opened)
        return message
      }
      trace.format = FormatSighting(
        name: accepted.name, fate: .failed(code: DegradeReason.malformedContent.rawValue))
    } catch {
      trace.format = FormatSighting(name: accepted.name, fate: .failed(code: error.code))
    }
    throw .otherFormat
  }
}

/// What another system's envelope held.
struct OtherMessage: Sendable {
  let format: String
  let notification: RemoteNotification
  let payload: JSONObject
}

extension AcceptedFormat {
  /// What a plaintext says; null if there is no text in it to show.
  fileprivate func message(of plaintext: [UInt8], in payload: JSONObject) -> OtherMessage? {
    guard var content = reading.content(plaintext, payload) else { return nil }
    // Nobody has signed the package's own members.
    content[EnvelopeKey.reserved] = nil
    guard let notification = try? RemoteNotification(payload: content), notification.hasText else {
      return nil
    }
    return OtherMessage(format: name, notification: notification, payload: content)
  }
}
