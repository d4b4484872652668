internal import PushEnvelope
internal import PushPayload

/// The visible part of a sealed payload, in bytes: what stands before the envelope's text and what behind it.
struct Skeleton: Sendable {
  private let head: ArraySlice<UInt8>
  private let tail: [UInt8]

  /// The length, in bytes.
  var size: Int { head.count + tail.count }

  /// The skeleton of a policy's messages, as far as it is the same for all of them.
  init(_ policy: SealingPolicy) { self.init(policy, showing: [:]) }

  /// The skeleton of one message, with those of its members that stay visible.
  init(_ policy: SealingPolicy, showing payload: JSONObject) {
    // The envelope is the last member, so nothing but closing characters follows its text.
    tail = Array((policy.pushType == .liveActivity ? #""}}}"# : #""}"#).utf8)
    head = policy.visiblePart(of: payload).encoded().dropLast(tail.count)
  }

  /// The payload with an envelope in it.
  func payload(carrying envelope: Envelope) -> [UInt8] {
    var payload: [UInt8] = []
    payload.reserveCapacity(size + envelope.textSize)
    payload += head
    envelope.appendText(to: &payload)
    payload += tail
    return payload
  }
}
