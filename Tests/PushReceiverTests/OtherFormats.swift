import Locks
import PushCore
import PushReceiver

/// Another system's envelope that hides nothing: a string under its own key.
struct OtherFormat: EnvelopeFormat {
  static let name = "other"

  var member = "other"
  var error: EnvelopeFormatError?
  var asked = Asked()

  /// How often it was asked for anything.
  final class Asked: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock { $0 } }

    func add() { state.withLock { $0 += 1 } }
  }

  static func isRecognized(_ payload: JSONObject) -> Bool { payload["other"] != nil }

  func recognizes(_ payload: JSONObject) -> Bool {
    asked.add()
    return payload[member] != nil
  }

  func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    asked.add()
    if let error { throw error }
    guard let text = payload[member]?.string else { throw .malformed(member: member) }
    return Array(text.utf8)
  }
}

/// The same under another name.
struct ThirdFormat: EnvelopeFormat {
  static let name = "third"

  static func isRecognized(_ payload: JSONObject) -> Bool { payload["other"] != nil }

  func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] { Array("third".utf8) }
}

extension IncomingPush {
  /// A push that carries another system's envelope, and perhaps one of this package's.
  static func other(_ text: String, envelope: JSONValue? = nil) -> IncomingPush {
    let push = IncomingPush.outer(envelope: envelope)
    var payload = push.payload
    payload["other"] = .string(text)
    return IncomingPush(payload: payload)
  }
}

extension AcceptedEnvelopes {
  /// Other systems' envelopes besides signed messages, for an hour from the tests' now.
  static func others(
    _ formats: (any EnvelopeFormat)..., until: UnixTime = Parties.now.advanced(by: .seconds(3600)),
    reading: PlaintextReading = .text
  ) -> AcceptedEnvelopes {
    AcceptedEnvelopes(formats: formats.map { AcceptedFormat($0, until: until, reading: reading) })
  }
}
