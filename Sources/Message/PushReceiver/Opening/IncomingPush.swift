public import PushCore

/// A push as the system delivers it to the extension, before anything is opened.
public struct IncomingPush: Equatable, Sendable {
  /// The visible title; empty if there is none.
  public var title: String

  /// Whether the visible payload has a sound.
  public var hasSound: Bool

  /// The value under the envelope's key.
  public var envelope: EnvelopeField

  /// The whole payload, for other systems' envelopes; empty if the receiver accepts none.
  public var payload: JSONObject

  /// Makes a push from its parts.
  public init(title: String, hasSound: Bool, envelope: EnvelopeField, payload: JSONObject = [:]) {
    self.title = title
    self.hasSound = hasSound
    self.envelope = envelope
    self.payload = payload
  }

  /// Reads an APNs payload as the system does, except that it takes only a literal title.
  ///
  /// On a device, the system also looks up `title-loc-key` in the app's strings before the extension runs.
  public init(payload: JSONObject, envelopeKey: EnvelopeKey = .default) {
    let aps = payload["aps"]?.object ?? [:]
    self.init(
      title: aps["alert"]?.object?["title"]?.string ?? "", hasSound: aps["sound"] ?? .null != .null,
      envelope: EnvelopeField(member: payload[envelopeKey.text]), payload: payload)
  }
}

/// The value under the envelope's key.
public enum EnvelopeField: Hashable, Sendable {
  /// No value.
  case absent
  /// A value that is not a string.
  case notText
  /// A string.
  case text(String)
}

extension EnvelopeField {
  /// Whether this counts as an envelope of this package, valid or not, and is not tried as another system's.
  package var isSealed: Bool {
    guard case .text(let text) = self else { return false }
    return Envelope.isRecognized(text)
  }

  /// Finds a data message's envelope in a payload: under the envelope's key at the top level, or in the `content-state`
  /// of a Live Activity.
  public init(data payload: JSONObject, envelopeKey: EnvelopeKey = .default) {
    self.init(member: envelopeKey.value(in: payload))
  }

  /// Reads a member of a payload.
  init(member: JSONValue?) {
    self =
      switch member {
      case nil: .absent
      case .string(let text)?: .text(text)
      case .some: .notText
      }
  }
}

/// Keeps a text out of logs.
extension IncomingPush: CustomStringConvertible, CustomReflectable {
  /// What it is, without its content.
  public var description: String { "incoming push" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
