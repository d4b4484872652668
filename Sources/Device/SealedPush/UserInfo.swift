internal import Foundation
public import PushCore
public import PushReceiver
internal import UserNotifications

extension Receiver {
  /// The envelope in a dictionary that the system passes to the app, to be opened off the main thread.
  ///
  /// An app's delegate is called on the main thread, where reading keys and files delays what the person sees. Unlike the
  /// dictionary, the envelope can be passed to a task or an actor.
  public func envelope(in userInfo: [AnyHashable: Any]) -> EnvelopeField {
    EnvelopeField(userInfoValue: userInfo[envelopeKey.text])
  }

  /// Opens data from the dictionary that the system passes to the app: the `userInfo` of a background push, or the
  /// `dictionaryPayload` of a VoIP push.
  ///
  /// `type` says which of them it is; a message of another type is refused.
  ///
  /// - Throws: `DegradeReason`, for the first check that fails.
  public func openData(
    userInfo: [AnyHashable: Any], as type: ContentType
  ) throws(DegradeReason) -> OpenedMessage {
    try openData(envelope(in: userInfo), as: type)
  }

  /// Opens a request to prove a key and a token from the `userInfo` of a background push.
  ///
  /// An app calls it for each background push, before `openData(userInfo:as:)`.
  ///
  /// - Throws: `DegradeReason`, for the first check that fails; `malformedContent` for a message that is not a request.
  public func openProofRequest(userInfo: [AnyHashable: Any]) throws(DegradeReason) -> OpenedProofRequest {
    try openProofRequest(envelope(in: userInfo))
  }
}

extension IncomingPush {
  /// Reads a request's content for an extension that has no receiver, with the envelope under the default key.
  init(content: UNNotificationContent) { self.init(content: content, envelopeKey: .default, payload: [:]) }

  /// Reads a request's content for `receiver`, and its whole payload only if `receiver` accepts other systems' envelopes.
  init(content: UNNotificationContent, for receiver: Receiver) {
    self.init(
      content: content, envelopeKey: receiver.envelopeKey,
      payload: receiver.accepts.formats.isEmpty ? [:] : JSONObject(userInfo: content.userInfo))
  }

  private init(content: UNNotificationContent, envelopeKey: EnvelopeKey, payload: JSONObject) {
    self.init(
      title: content.title, hasSound: content.sound != nil,
      envelope: EnvelopeField(userInfoValue: content.userInfo[envelopeKey.text]), payload: payload)
  }
}

extension EnvelopeField {
  /// Reads the value under the envelope's key in one of Apple's dictionaries.
  init(userInfoValue value: Any?) {
    switch value {
    case nil: self = .absent
    case let text as String: self = .text(text)
    case .some: self = .notText
    }
  }
}

extension JSONObject {
  /// Reads a payload from the `userInfo` that the system makes of it.
  ///
  /// Nulls are missing, because `userInfo` has none, and values nested deeper than 16 levels are left out.
  init(userInfo: [AnyHashable: Any]) {
    self = PropertyList.json(from: PropertyList.dictionary(from: userInfo, depth: 16))
  }
}

extension PropertyList {
  fileprivate static func dictionary(from objects: [AnyHashable: Any], depth: Int) -> [String: PropertyList] {
    var dictionary: [String: PropertyList] = [:]
    for (key, object) in objects {
      if let key = key as? String { dictionary[key] = PropertyList(object: object, depth: depth) }
    }
    return dictionary
  }

  /// Reads a Foundation object; nil if JSON has no such value.
  private init?(object: Any, depth: Int) {
    guard depth > 0 else { return nil }
    switch object {
    case let string as String: self = .string(string)
    case let number as NSNumber: self.init(number)
    case let objects as [Any]:
      self = .array(objects.compactMap { PropertyList(object: $0, depth: depth - 1) })
    case let objects as [AnyHashable: Any]:
      self = .dictionary(Self.dictionary(from: objects, depth: depth - 1))
    default: return nil
    }
  }

  /// Reads a number, which in Foundation may be a boolean; an integer too large for `Int64` becomes a string of its digits.
  private init(_ number: NSNumber) {
    switch unsafe UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "c"), UInt8(ascii: "B"): self = .boolean(number.boolValue)
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
    case UInt8(ascii: "Q"), UInt8(ascii: "L"):
      self = Int64(exactly: number.uint64Value).map(Self.integer) ?? .string("\(number.uint64Value)")
    default: self = .integer(number.int64Value)
    }
  }
}
