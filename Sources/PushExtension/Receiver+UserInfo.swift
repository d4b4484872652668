internal import PushPayload
public import PushReceiver

extension Receiver {
  /// Opens data of what the system hands the app: a background push's `userInfo`, or a VoIP push's
  /// `dictionaryPayload`.
  ///
  /// - Throws: `DegradeReason`, at the first thing that is wrong.
  public func openData(userInfo: [AnyHashable: Any]) throws(DegradeReason) -> OpenedMessage {
    try openData(EnvelopeField(userInfo[envelopeKey.text]))
  }
}

extension EnvelopeField {
  /// Reads what stands under the envelope's key in Apple's dictionaries.
  init(_ value: Any?) {
    switch value {
    case nil: self = .absent
    case let text as String: self = .text(text)
    case .some: self = .notText
    }
  }
}
